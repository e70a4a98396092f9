// The one table that says how a change is checked. test.mjs runs its jobs for `npm test`, `npm run check`, .ci/run and
// the workflows in .github.
import { npmCommand } from './install.mjs';

export const node = (...args) => ({ file: process.execPath, args, shell: false });
/** Returns the command that runs Vitest with a separate configuration file. */
const vitest = (config) => node('node_modules/vitest/vitest.mjs', 'run', `--config=${config}`);
const script = (name) => npmCommand(['run', name]);
/**
 * Returns the command for a simulation file, with the option from `npm run simulate` that makes garbage collection
 * rarer.
 */
const simulation = (...args) => node('--max-semi-space-size=32', ...args);
const simulate = (...args) => simulation('test/simulation/run.mjs', ...args);
const bench = (name, ...args) => node(`tools/bench/${name}.bench.mjs`, ...args);

/** The seed for the jobs that look for new failures. All other jobs use a fixed seed. */
export const newSeed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000);
const newSeeds = (count) => `${newSeed}..${newSeed + count - 1}`;

/** What each job runs: checks, then projects of vitest.config.ts, then commands, which need an idle machine. */
export const jobs = {
  core: {
    checks: ['lint', 'build', 'example', 'types'],
    projects: ['node', 'isolated', 'stores', 'browser', 'exports', 'server-example', 'e2e'],
  },
  stores: {
    checks: ['build'],
    projects: ['other-stores', 'peers', 'simulation'],
  },
  devtools: {
    checks: ['build', 'example'],
    projects: ['devtools', 'devtools-browser', 'devtools-e2e'],
  },
  ui: {
    checks: ['build', 'example', 'storybook-build'],
    projects: ['ui-browser', 'storybook', 'react18', 'overlays', 'ui-e2e'],
  },
  example: {
    checks: ['build', 'example'],
    projects: ['example', 'example-e2e', 'examples'],
  },
  package: {
    checks: ['build', 'knip', 'api-reference'],
    projects: [
      ...['packaging', 'sizes', 'consumers', 'servers', 'runtimes', 'ownership', 'frameworks'],
      'next',
    ],
  },
};

/** The jobs that need luck, hours or an idle machine. `npm run check -- nightly` runs them all. */
export const nightlyJobs = {
  // The projects that have random cases or may retry a test, run with every case, a new seed and no retries.
  random: {
    checks: ['build', 'example', 'storybook-build'],
    projects: ['core', 'stores', 'devtools', 'ui', 'example']
      .flatMap((name) => jobs[name].projects)
      .filter((name) => name !== 'peers' && name !== 'simulation'),
    env: { CASES: 'all', TEST_SEED: `${newSeed}` },
  },
  seeds: {
    commands: [
      simulate('--seeds', newSeeds(2000)),
      simulate('--seeds', newSeeds(300), '--store', 'sqlite'),
      simulate('--seeds', newSeeds(100), '--long'),
      simulation('tools/defects/run.mjs'),
    ],
  },
  speed: {
    checks: ['build', 'example'],
    projects: ['latency'],
    commands: [
      ...[bench('signer'), bench('apiSigning'), bench('heap')],
      bench('sync', '2000', '6000'),
    ],
  },
  mutation: { commands: [node('tools/mutation/run.mjs')] },
  faults: { checks: ['build'], projects: ['faults'] },
  soak: { checks: ['build', 'example'], commands: [node('tools/soak/run.mjs')] },
  firefox: { commands: [vitest('.storybook/vitest.firefox.config.ts')] },
  webkit: {
    checks: ['build', 'example'],
    commands: [vitest('test/webkit/vitest.config.ts')],
  },
};

/** The checks. Each adds one to the passed or failed count, and runs after the checks in its `needs`. */
export const checks = {
  lint: { command: script('lint') },
  build: { command: script('build') },
  example: { command: script('build:example'), needs: ['build'] },
  types: { command: script('typecheck'), needs: ['build'] },
  knip: { command: script('knip'), needs: ['build'] },
  'api-reference': { command: node('scripts/reference/write.mjs', '--check'), needs: ['build'] },
  'storybook-build': { command: script('build-storybook') },
};

/** What each Vitest project needs: checks, the browser `chromium`, and folders whose packages must be installed. */
export const needs = {
  node: ['build'],
  isolated: ['build'],
  stores: ['build'],
  browser: ['chromium'],
  exports: ['build', 'chromium'],
  'server-example': ['build', 'example'],
  e2e: ['build', 'example', 'chromium'],

  'other-stores': ['build'],
  peers: ['build', 'test/peers'],
  simulation: [],

  devtools: ['build'],
  'devtools-browser': ['chromium'],
  'devtools-e2e': ['build', 'example', 'chromium'],

  'ui-browser': ['chromium'],
  storybook: ['chromium'],
  react18: ['chromium', 'test/peers'],
  overlays: ['chromium', 'test/overlays'],
  'ui-e2e': ['build', 'example', 'storybook-build', 'chromium', 'test/peers'],

  example: ['build', 'example'],
  'example-e2e': ['build', 'example', 'chromium'],
  examples: ['build', 'chromium', 'test/consumers/examples'],

  packaging: ['build', 'chromium'],
  sizes: ['build', 'test/consumers/bundlers'],
  consumers: [
    'build',
    'chromium',
    ...['bundlers', 'types', 'runners', 'openapi'].map((name) => `test/consumers/${name}`),
  ],
  servers: ['build', 'test/consumers/servers', 'test/consumers/frameworks'],
  runtimes: ['build', 'test/consumers/runtimes'],
  ownership: ['build', 'chromium', 'test/consumers/examples'],
  frameworks: [
    ...['build', 'chromium', 'test/next'],
    ...['test/consumers/examples', 'test/consumers/frameworks'],
  ],
  next: ['build', 'chromium', 'test/next'],

  latency: ['build', 'chromium'],
  faults: ['build'],
};
