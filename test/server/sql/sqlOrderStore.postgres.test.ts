import { describe } from 'vitest';
import { createPostgresSchema } from '../../support/database/sqlDatabases.js';
import { testStoreConformance } from '../../support/server/testStoreConformance.js';

describe('sqlOrderStore with PostgreSQL', () => {
  testStoreConformance(async () => (await createPostgresSchema()).store());
});
