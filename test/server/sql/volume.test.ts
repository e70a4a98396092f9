import { describe } from 'vitest';
import { sqlDatabases } from '../../support/sql-databases.js';
import { testVolumeConformance } from '../orders/volume-conformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (_, empty) => {
  testVolumeConformance(async () => (await empty()).store());
});
