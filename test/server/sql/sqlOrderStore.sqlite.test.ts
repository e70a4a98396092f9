import { describe } from 'vitest';
import { testSqlStoreConformance } from '../../conformance/testStoreConformance.js';
import { createSqliteDatabase } from '../../support/database/sqlDatabases.js';

describe('sqlOrderStore with SQLite', () => {
  testSqlStoreConformance(async (parts) => (await createSqliteDatabase()).store(parts));
});
