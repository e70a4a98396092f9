import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createSqliteDatabase } from '../support/database/sqlDatabases.js';
import { onRampCheckout } from '../support/server/orderFixtures.js';

it('a write to a SQLite file rejects if another process locks it too long; later writes succeed', async () => {
  const database = await createSqliteDatabase();
  const blocker = database.connect();
  const { store } = database.remote();
  await store.readSyncState();
  await sql`begin immediate`.execute(blocker);
  const saved = store.saveCheckout(onRampCheckout({ reference: 'r1' })).then(
    () => 'acknowledged',
    () => 'refused',
  );
  // The store retries for 15 s, and its last attempt waits for the lock for another second.
  await wait(17_500);
  await sql`commit`.execute(blocker);
  expect(await saved).toBe('refused');
  expect(await store.findCheckout('r1')).toBeFalsy();
  await store.saveCheckout(onRampCheckout({ reference: 'r2' }));
  expect(await store.findCheckout('r2')).toMatchObject({ reference: 'r2' });
});
