import { describe } from 'vitest';
import { testChangeArrival } from '../../../conformance/testChangeArrival.js';
import { sqlDatabases } from '../../../support/database/sqlDatabases.js';
import { caseStep } from '../../../support/server/sampleCases.js';

describe.each(sqlDatabases)('sqlOrderStore with %s', (name, empty) => {
  // All cases run on SQLite. PostgreSQL is slower, so without CASES=all every tenth case runs on it.
  const every = name === 'SQLite' ? 1 : caseStep(10);
  testChangeArrival(async () => (await empty()).store(), every);
});
