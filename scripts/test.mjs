// npm test: every check in order. `npm test -- node browser` runs the named Vitest projects alone.
import { chooseProjects, onMoreCores, runChecks, script } from './checks.mjs';
import { ensureInstalled } from './install.mjs';

const steps = [
  { name: 'lint', run: () => script('lint') },
  { name: 'build', run: () => script('build') },
  { name: 'types', run: () => script('typecheck') },
  { name: 'knip', run: () => script('knip') },
  { name: 'example', run: () => script('build:example'), needs: ['build'] },
  { name: 'storybook-build', run: () => script('build-storybook') },
];

/** One run each: on a small machine a browser and a build at once make each other's tests late. */
const projects = [
  { name: 'node', parts: ['node', 'isolated'], needs: ['build'], args: [onMoreCores] },
  { name: 'stores', needs: ['build'], args: [onMoreCores] },
  { name: 'browser', needs: ['chromium'] },
  { name: 'react18', needs: ['chromium', 'react-18'] },
  { name: 'storybook', needs: ['chromium'], config: '.storybook/vitest.config.ts' },
  { name: 'packaging', needs: ['build'], args: [onMoreCores] },
  // The size limits in every bundler, and one whole shop. npm run test:consumers has the rest.
  {
    name: 'consumers',
    needs: ['build', 'consumer-bundlers'],
    args: ['test/consumers/bundlers/sizes'],
  },
  { name: 'examples', needs: ['chromium', 'build', 'consumer-examples'] },
  { name: 'e2e', needs: ['chromium', 'react-18', 'build', 'example', 'storybook-build'] },
];

const names = process.argv.slice(2);
const chosen = chooseProjects(projects, names);

ensureInstalled();
// Named projects are for development: they run against what was built last.
runChecks({ steps: names.length ? [] : steps, projects: chosen });
