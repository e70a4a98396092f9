import { describe } from 'vitest';
import { sqlDatabases } from '../../support/sql-databases.js';
import { volumeConformance } from '../orders/volume-conformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (_, empty) => {
  volumeConformance(async () => (await empty()).store());
});
