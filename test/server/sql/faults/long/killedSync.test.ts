import { sql } from 'kysely';
import { describe } from 'vitest';
import { testKilledSync } from '../../../../conformance/testKilledSync.js';
import { type CrashPoint, crashingSqlStore } from '../../../../support/database/crashingStore.js';
import { sqlDatabases } from '../../../../support/database/sqlDatabases.js';

describe.each(sqlDatabases)('a sync that is killed at a statement on %s', (_, empty) => {
  const open = async () => {
    const database = await empty();
    const kysely = database.connect();
    return {
      store: database.store(),
      createCrashingStore: (death: CrashPoint) => crashingSqlStore(database.target, death),
      endLease: () => sql`update ramp_state set lease_until = 0`.execute(kysely),
    };
  };
  let opened: ReturnType<typeof open> | undefined;
  testKilledSync(() => {
    opened ??= open();
    return opened;
  }, false);
});
