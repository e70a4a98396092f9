// npm run test:consumers: tests the packed package in other bundlers, compilers, test runners and servers,
// the whole matrix. `npm run test:consumers -- servers` runs only the named Vitest projects.

import { ensureInstalled } from './install.mjs';
import { chooseProjects, maxWorkersFlag, runChecks, runScript } from './runChecks.mjs';

const env = { CONSUMERS: 'all' };

const projects = [
  {
    name: 'consumers',
    needs: [
      'build',
      'consumer-bundlers',
      'consumer-types',
      'consumer-jest-29',
      'consumer-jest-30',
      'consumer-vitest',
    ],
    args: [maxWorkersFlag],
    env,
  },
  { name: 'servers', needs: ['build', 'consumer-servers'], args: [maxWorkersFlag] },
  {
    name: 'examples',
    needs: ['build', 'chromium', 'next-shop', 'consumer-examples', 'consumer-workerd'],
    env,
  },
  { name: 'next', needs: ['build', 'chromium', 'next-shop'] },
];

ensureInstalled();
await runChecks({
  steps: [{ name: 'build', run: () => runScript('build') }],
  projects: chooseProjects(projects, process.argv.slice(2)),
});
