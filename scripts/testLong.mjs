// npm run test:long: runs the tests that are too slow for npm test, and all cases of sampled tests.
// `npm run test:long -- stores` runs only the named Vitest projects.

import { ensureInstalled } from './install.mjs';
import { chooseProjects, maxWorkersFlag, runChecks, runModule, runScript } from './runChecks.mjs';

/** Tests with many cases. npm test runs only a sample of their cases. */
const sampled = [
  'sqlOrderStore.equivalence',
  'changeArrival',
  'faults/killedProcess',
  'faults/killedSync',
  'faults/statementFaults',
  'faults/twoTrackers',
];

const projects = [
  {
    name: 'stores',
    needs: ['build'],
    args: [maxWorkersFlag, ...sampled.map((name) => `test/server/sql/${name}.test.ts`)],
    env: { CASES: 'all' },
  },
  { name: 'react18', needs: ['chromium', 'react-18'] },
  { name: 'e2e-long', needs: ['chromium', 'react-18', 'build', 'example', 'storybook-build'] },
];

ensureInstalled();
await runChecks({
  steps: [
    { name: 'build', run: () => runScript('build') },
    { name: 'example', run: () => runScript('build:example'), needs: ['build'] },
    {
      name: 'api-reference',
      run: () => runModule('scripts/reference/write.mjs', '--check'),
      needs: ['build'],
    },
    { name: 'storybook-build', run: () => runScript('build-storybook') },
  ],
  projects: chooseProjects(projects, process.argv.slice(2)),
});
