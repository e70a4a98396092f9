import { describe } from 'vitest';
import { createSqliteDatabase } from '../../support/database/sqlDatabases.js';
import { testStoreConformance } from '../../support/server/testStoreConformance.js';

describe('sqlOrderStore with SQLite', () => {
  testStoreConformance(async () => (await createSqliteDatabase()).store());
});
