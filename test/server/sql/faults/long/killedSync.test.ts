import { type Kysely, sql } from 'kysely';
import { describe } from 'vitest';
import type { OrderToDeliver } from '../../../../../src/server/index.js';
import { testKilledSync } from '../../../../conformance/testKilledSync.js';
import { type CrashPoint, crashingSqlStore } from '../../../../support/database/crashingStore.js';
import { sqlDatabases } from '../../../../support/database/sqlDatabases.js';

describe.each(sqlDatabases)('a sync that is killed at a statement on %s', (_, empty) => {
  const open = async () => {
    const database = await empty();
    const kysely = database.connect();
    await sql`create table shop_goods (order_id text not null)`.execute(kysely);
    return {
      store: database.store(),
      createCrashingStore: (death: CrashPoint) => crashingSqlStore(database.target, death),
      endLease: () => sql`update ramp_state set lease_until = 0`.execute(kysely),
      ship: ({ orderId }: OrderToDeliver, transaction: Kysely<unknown>) =>
        sql`insert into shop_goods values (${orderId})`.execute(transaction),
      async listShipped() {
        const goods = sql<{ order_id: string }>`select order_id from shop_goods`;
        return (await goods.execute(kysely)).rows.map(({ order_id }) => order_id);
      },
    };
  };
  /** All rounds of a test use one database. */
  const openOnce = () => {
    let opened: ReturnType<typeof open> | undefined;
    return () => {
      opened ??= open();
      return opened;
    };
  };
  // More orders than two batches, so that a sync records three batches.
  testKilledSync(openOnce(), { count: 205, delivers: false, minSteps: 15 });
  testKilledSync(openOnce(), { count: 3, delivers: true, minSteps: 40 });
});
