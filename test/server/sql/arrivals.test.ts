import { describe } from 'vitest';
import { sqlDatabases } from '../../support/sql-databases.js';
import { arrivalConformance } from '../orders/arrival-conformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (_, empty) => {
  arrivalConformance(async () => (await empty()).store());
});
