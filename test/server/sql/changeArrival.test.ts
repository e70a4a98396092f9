import { describe } from 'vitest';
import { sqlDatabases } from '../../support/database/sqlDatabases.js';
import { caseStep } from '../../support/server/sampleCases.js';
import { testChangeArrival } from '../../support/server/testChangeArrival.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (name, empty) => {
  // SQLite and the store in memory run all of them.
  const every = name === 'SQLite' ? 1 : caseStep(5);
  testChangeArrival(async () => (await empty()).store(), every);
});
