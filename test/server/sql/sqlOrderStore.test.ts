import { describe } from 'vitest';
import { sqlDatabases } from '../../support/database/sqlDatabases.js';
import { testStoreConformance } from '../../support/server/testStoreConformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (_, empty) => {
  testStoreConformance(async () => (await empty()).store());
});
