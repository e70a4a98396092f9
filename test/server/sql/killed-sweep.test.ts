import { sql } from 'kysely';
import { describe } from 'vitest';
import { type Death, mortalSql } from '../../support/mortal.js';
import { inSteps } from '../../support/sample.js';
import { sqlDatabases } from '../../support/sql-databases.js';
import { killedSweepConformance } from '../orders/killed-sweep-conformance.js';

describe.each(sqlDatabases)('a sweep that is killed at a statement to %s', (name, empty) => {
  const open = async () => {
    const database = await empty();
    const kysely = database.connect();
    return {
      store: database.store(),
      mortal: (death: Death) => mortalSql(database.target, death),
      endLease: () => sql`update ramp_state set sweep_until = 0`.execute(kysely),
    };
  };
  let opened: ReturnType<typeof open> | undefined;
  // SQLite has the same statements, and runs all of them.
  const every = name === 'SQLite' ? 1 : inSteps(5);
  killedSweepConformance(
    () => {
      opened ??= open();
      return opened;
    },
    false,
    every,
  );
});
