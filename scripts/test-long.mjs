// npm run test:long: what npm test has no time for, or runs a sample of. `npm run test:long -- stores` runs the
// named Vitest projects alone.
import { chooseProjects, onMoreCores, runChecks, script } from './checks.mjs';
import { ensureInstalled } from './install.mjs';

/** Of these npm test runs a sample. */
const sampled = [
  'agrees-with-memory',
  'arrivals',
  'kill',
  'killed-sweep',
  'statement-faults',
  'two-trackers',
];

const projects = [
  {
    name: 'stores',
    needs: ['build'],
    args: [onMoreCores, ...sampled.map((name) => `test/server/sql/${name}.test.ts`)],
    env: { CASES: 'all' },
  },
  { name: 'react18', needs: ['chromium', 'react-18'] },
  { name: 'e2e-long', needs: ['chromium', 'react-18', 'build', 'example', 'storybook-build'] },
];

ensureInstalled();
await runChecks({
  steps: [
    { name: 'build', run: () => script('build') },
    { name: 'example', run: () => script('build:example'), needs: ['build'] },
    { name: 'storybook-build', run: () => script('build-storybook') },
  ],
  projects: chooseProjects(projects, process.argv.slice(2)),
});
