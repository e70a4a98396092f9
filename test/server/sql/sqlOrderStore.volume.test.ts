import { describe } from 'vitest';
import { sqlDatabases } from '../../support/database/sqlDatabases.js';
import { testVolumeConformance } from '../../support/server/testVolumeConformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (_, empty) => {
  testVolumeConformance(async () => (await empty()).store());
});
