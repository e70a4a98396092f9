import { describe } from 'vitest';
import { caseStep } from '../../support/sample.js';
import { sqlDatabases } from '../../support/sql-databases.js';
import { testChangeArrival } from '../orders/arrival-conformance.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (name, empty) => {
  // SQLite and the store in memory run all of them.
  const every = name === 'SQLite' ? 1 : caseStep(5);
  testChangeArrival(async () => (await empty()).store(), every);
});
