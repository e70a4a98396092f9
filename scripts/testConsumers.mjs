// npm run test:consumers: the packed package in other people's bundlers, compilers and servers, the whole
// matrix. `npm run test:consumers -- servers` runs the named Vitest projects alone.

import { ensureInstalled } from './install.mjs';
import { chooseProjects, onMoreCores, runChecks, script } from './runChecks.mjs';

const env = { CONSUMERS: 'all' };

const projects = [
  {
    name: 'consumers',
    needs: ['build', 'consumer-bundlers', 'consumer-types'],
    args: [onMoreCores],
    env,
  },
  { name: 'servers', needs: ['build', 'consumer-servers'], args: [onMoreCores] },
  {
    name: 'examples',
    needs: ['build', 'chromium', 'next-shop', 'consumer-examples', 'consumer-workerd'],
    env,
  },
  { name: 'next', needs: ['build', 'chromium', 'next-shop'] },
];

ensureInstalled();
await runChecks({
  steps: [{ name: 'build', run: () => script('build') }],
  projects: chooseProjects(projects, process.argv.slice(2)),
});
