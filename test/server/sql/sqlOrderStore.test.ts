import { describe } from 'vitest';
import { sqlDatabases } from '../../support/sql-databases.js';
import { testStoreConformance } from '../orders/store-conformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (_, empty) => {
  testStoreConformance(async () => (await empty()).store());
});
