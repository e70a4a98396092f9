import { describe } from 'vitest';
import { testVolumeConformance } from '../../conformance/testVolumeConformance.js';
import { sqlDatabases } from '../../support/database/sqlDatabases.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (_, empty) => {
  testVolumeConformance(async () => (await empty()).store());
});
