import { type Kysely, sql } from 'kysely';
import { describe, expect } from 'vitest';
import type { Runtime } from '../../../src/server/internal/runtime.js';
import {
  migrateOrderStore,
  type SqlOrderStore,
  sqlOrderStore,
} from '../../../src/server/sql/index.js';
import { testSqlStoreConformance } from '../../conformance/testStoreConformance.js';
import { createPostgresSchema } from '../../support/database/sqlDatabases.js';
import { testRuntime } from '../../support/server/testRuntime.js';

let shared: Kysely<unknown> | undefined;
let lastTest: string | undefined;

/** Opens an empty store. All tests share one schema, which is emptied: creating the tables takes longer than most tests. */
async function open(parts: Partial<Runtime> = {}): Promise<SqlOrderStore> {
  const { currentTestName } = expect.getState();
  // A test that opens several stores gets a schema for each further one.
  if (currentTestName === lastTest) return (await createPostgresSchema()).store(parts);
  lastTest = currentTestName;
  if (!shared) {
    shared = (await createPostgresSchema()).connect();
    await migrateOrderStore(shared);
  }
  await sql`truncate ramp_checkouts, ramp_orders, ramp_changes, ramp_replays`.execute(shared);
  await sql`update ramp_state set lease_owner = null, lease_until = 0, sync_state = null,
    sync_revision = 0, partner_id = null, environment = null`.execute(shared);
  return sqlOrderStore(shared, undefined, testRuntime(parts));
}

describe('sqlOrderStore with PostgreSQL', () => {
  testSqlStoreConformance(open);
});
