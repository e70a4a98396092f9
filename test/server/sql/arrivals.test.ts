import { describe } from 'vitest';
import { inSteps } from '../../support/sample.js';
import { sqlDatabases } from '../../support/sql-databases.js';
import { arrivalConformance } from '../orders/arrival-conformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (name, empty) => {
  // SQLite and the store in memory run all of them.
  const every = name === 'SQLite' ? 1 : inSteps(5);
  arrivalConformance(async () => (await empty()).store(), every);
});
