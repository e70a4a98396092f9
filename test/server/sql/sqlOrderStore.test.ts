import { describe } from 'vitest';
import { sqlDatabases } from '../../support/sql-databases.js';
import { storeConformance } from '../orders/store-conformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (_, empty) => {
  storeConformance(async () => (await empty()).store());
});
