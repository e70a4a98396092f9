// npm test: every check in order. `npm test -- node browser` runs the named Vitest projects alone.
import { availableParallelism } from 'node:os';
import {
  chooseProjects,
  consumerSteps,
  install,
  runChecks,
  script,
  sharedSteps,
} from './checks.mjs';
import { ensureInstalled } from './install.mjs';

/** Steps that are no check of their own count only when they fail. */
const steps = [
  ...sharedSteps,
  { name: 'react-18', run: () => install('react-18'), isCheck: false },
  ...consumerSteps,
  { name: 'lint', run: () => script('lint') },
  { name: 'build', run: () => script('build') },
  { name: 'types', run: () => script('typecheck') },
  { name: 'knip', run: () => script('knip') },
  { name: 'example', run: () => script('build:example'), needs: ['build'] },
  { name: 'storybook-build', run: () => script('build-storybook') },
];

/** By itself Vitest leaves one of two cores alone. More than some share one database. */
const onMoreCores = { args: [`--maxWorkers=${Math.min(availableParallelism(), 4)}`] };

/** One run each: on a small machine a browser and a build at once make each other's tests late. */
const projects = [
  { name: 'node', parts: ['node', 'isolated'], needs: ['build'], ...onMoreCores },
  { name: 'stores', needs: ['build'], ...onMoreCores },
  { name: 'browser', needs: ['chromium'] },
  { name: 'react18', needs: ['chromium', 'react-18'] },
  { name: 'storybook', needs: ['chromium'], config: '.storybook/vitest.config.ts' },
  { name: 'packaging', needs: ['build'], ...onMoreCores },
  { name: 'consumers', needs: ['build', 'consumer-bundlers', 'consumer-types'], ...onMoreCores },
  { name: 'examples', needs: ['chromium', 'build', 'consumer-examples'] },
  { name: 'e2e', needs: ['chromium', 'react-18', 'build', 'example', 'storybook-build'] },
  { name: 'servers', needs: ['consumer-servers', 'build'], ...onMoreCores },
  { name: 'next', needs: ['chromium', 'next-shop', 'build'] },
];

const names = process.argv.slice(2);
const chosen = chooseProjects(projects, names);
const needed = new Set(chosen.flatMap(({ needs = [] }) => needs));

ensureInstalled();
runChecks({
  // Named projects are for development: they run against what was built last.
  steps: names.length
    ? steps.filter(({ name, isCheck }) => isCheck === false && needed.has(name))
    : steps,
  projects: chosen,
});
