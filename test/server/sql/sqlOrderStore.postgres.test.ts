import { type Kysely, sql } from 'kysely';
import { describe, expect } from 'vitest';
import type { OrderStore } from '../../../src/server/index.js';
import { testStoreConformance } from '../../conformance/testStoreConformance.js';
import { createPostgresSchema } from '../../support/database/sqlDatabases.js';

let shared: { readonly kysely: Kysely<unknown>; readonly store: OrderStore } | undefined;
let lastTest: string | undefined;

/** Opens an empty store. All tests share one, which is emptied: creating the tables takes longer than most tests. */
async function open(): Promise<OrderStore> {
  const { currentTestName } = expect.getState();
  // A test that opens several stores gets a schema for each further one.
  if (currentTestName === lastTest) return (await createPostgresSchema()).store();
  lastTest = currentTestName;
  if (!shared) {
    const database = await createPostgresSchema();
    shared = { kysely: database.connect(), store: database.store() };
    await shared.store.lastEventId();
  }
  const { kysely, store } = shared;
  await sql`truncate ramp_intents, ramp_orders, ramp_events, ramp_changes, ramp_replays`.execute(
    kysely,
  );
  await sql`update ramp_state set last_event_id = 0, lease_owner = null, lease_until = 0,
    sync_state = null, sync_revision = 0, partner_id = null, environment = null`.execute(kysely);
  return store;
}

describe('sqlOrderStore with PostgreSQL', () => {
  testStoreConformance(open);
});
