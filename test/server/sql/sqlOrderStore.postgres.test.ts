import { describe } from 'vitest';
import { testStoreConformance } from '../../conformance/testStoreConformance.js';
import { createPostgresSchema } from '../../support/database/sqlDatabases.js';

describe('sqlOrderStore with PostgreSQL', () => {
  testStoreConformance(async () => (await createPostgresSchema()).store());
});
