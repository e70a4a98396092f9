import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createSqliteDatabase } from '../../../support/database/sqlDatabases.js';
import { onRampIntent } from '../../../support/server/orderFixtures.js';

it('sqlOrderStore waits for a SQLite file that another process locks for long, and stores all writes', async () => {
  const database = await createSqliteDatabase();
  const kysely = database.connect();
  const { store } = database.remote();
  await store.lastEventId();
  await sql`begin immediate`.execute(kysely);
  const saves = [0, 1, 2].map((i) => store.saveIntent(onRampIntent({ reference: `r${i}` })));
  // 6 s exceed the busy timeout of SQLite (1 s), so the store must retry the writes itself.
  await wait(6000);
  await sql`commit`.execute(kysely);
  await Promise.all(saves);
  // Read on another connection, which sees only committed writes. Uncommitted writes would be lost with the process.
  const kept = await sql`select reference from ramp_intents`.execute(kysely);
  expect(kept.rows).toHaveLength(3);
});
