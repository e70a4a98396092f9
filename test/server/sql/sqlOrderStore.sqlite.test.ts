import { describe } from 'vitest';
import { testStoreConformance } from '../../conformance/testStoreConformance.js';
import { createSqliteDatabase } from '../../support/database/sqlDatabases.js';

describe('sqlOrderStore with SQLite', () => {
  testStoreConformance(async () => (await createSqliteDatabase()).store());
});
