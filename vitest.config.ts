import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { lowestVersions } from './test/peers/aliases.js';
import {
  createBrowserConfig,
  moduleCachePlugin,
} from './test/support/browser/createBrowserConfig.js';

/**
 * The dependencies that Vite bundles in advance. Otherwise Vite would discover them during the tests and reload the
 * page.
 */
const optimizeDeps = {
  include: [
    'react',
    'react-dom',
    'react-dom/client',
    'react-dom/server',
    'react/jsx-runtime',
    'react/jsx-dev-runtime',
    '@tanstack/react-query',
    '@testing-library/react',
    'axe-core',
    'zod/mini',
  ],
};

/**
 * The number of workers: one more than cores, but at most four, because tests also wait for the disk and the network.
 * Vitest's default would leave a core idle.
 */
const workers = { maxWorkers: Math.min(availableParallelism() + 1, 4) };

/** Random cases are the same in each run. */
const seeded = { setupFiles: 'test/support/fixedSeed.ts' };

/** The number of workers for end-to-end tests. It is small, because each worker also runs a browser. */
const browserWorkers = { maxWorkers: 2 };

/** The number of workers for tests in a page. They wait more than they compute, and share one browser. */
const pageWorkers = { maxWorkers: 4 };

/**
 * Tests named `*.isolated.test.ts` replace modules, timers or globals, so each file loads its own modules. The
 * tests of the project `node` share their modules, which saves a third of the time.
 */
const isolatedTests = '**/*.isolated.test.{ts,tsx}';

/** The tests without a browser that belong to other projects than `node` and `isolated`. */
const otherProjects = [
  'test/{cli,consumers,e2e,faults,next,overlays,packaging,peers,sandbox,server/sql}/**',
  'test/simulation/{regressions,simulation}.test.ts',
  '**/node_modules/**',
];

/**
 * Long time limits. The default of `expect.poll` is one second, but a busy machine may need that long to load a page.
 */
const long = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
};

/**
 * A browser test that fails in `npm test` is tried once more: on a busy machine, a page may miss a time limit. The
 * command, which sets COUNTS_FILE, names each test that passed only then. A test that does so often hides a defect, so
 * none is tried again at night (CASES=all), or by a developer who runs Vitest.
 */
const again = { retry: process.env.COUNTS_FILE && process.env.CASES !== 'all' ? 1 : 0 };

/** The first test of a file loads modules on demand, which takes long on a busy machine. */
const patient = { testTimeout: 30_000 };

const withPostgres = {
  environment: 'node' as const,
  globalSetup: 'test/support/database/postgresSetup.ts',
  ...seeded,
  ...workers,
  ...long,
};

const browser = {
  plugins: [react(), moduleCachePlugin],
  optimizeDeps,
  test: { setupFiles: 'test/support/browser/browserSetup.ts', ...again, ...pageWorkers },
};

/** The widget of the sandbox, which ships its own React. */
const widgetTests = 'test/sandbox/**/*.browser.tsx';

/** What each browser test with the current React has. A function, because Vitest writes the name into the result. */
const createCurrentReact = () => ({
  ...browser.test,
  provide: { reactMajor: 19 },
  browser: createBrowserConfig(),
});

/** The browser tests of looks, of typing and lists, and of pages of a special kind. `npm test` runs all others. */
const uiTests = [
  'test/element/**/*.browser.tsx',
  'test/react/**/*.shadowTree.browser.tsx',
  'test/react/**/{darkMode,textSize}.browser.tsx',
  'test/react/checkout/views/*.browser.tsx',
  'test/react/quote/QuotePreview.{list,presets,states,typing,wallets}.browser.tsx',
];

/** The tests of the stores that `npm test` runs: of what a store promises, and of what a shop may do wrong. */
const storeSample = [
  'test/server/sql/{SqlDatabase,deliveries,postgresPool,queryPlans}.test.ts',
  'test/server/sql/mistakes/*.test.ts',
  'test/server/sql/{schema,sqlOrderStore.postgres,sqlOrderStore.sqlite,sqlOrderStore.statements}.test.ts',
  'test/server/sql/transactions/{transactionControl,withTransaction}.test.ts',
];

/** Browser tests that the version of React cannot affect. */
const withoutReact = [
  widgetTests,
  'test/element/**',
  'test/mistakes/**',
  'test/client/dev/checkWidgetUrl.browser.tsx',
  'test/react/checkout/views/dialog.lockScroll.browser.tsx',
  'test/react/status/CheckoutStatus.unreachable.browser.tsx',
];

/** Tests of the package in the tools that partners use. */
const consumers = {
  environment: 'node' as const,
  globalSetup: 'test/consumers/setup.ts',
  ...long,
};

/**
 * The environment of a production build. Without it, Vite and Rollup would resolve imports with the condition
 * `development`.
 */
const production = { NODE_ENV: 'production' };

const sizes = 'test/consumers/bundlers/sizes.test.ts';

/** The examples that need the build of a framework, a process for each request, or npm's registry. */
const frameworkTests = ['test/consumers/examples/{frameworks,functions,install,next}.test.ts'];

/** What `npm test` checks of the built package: its exports, imports, types and sizes. */
const exportTests = [
  'exports',
  'publicExports',
  'imports',
  'declarations',
  'elementData',
  'size',
].map((name) => `test/packaging/${name}.test.ts`);

/** The end-to-end tests by what they protect. All others are those of the components, `ui-e2e`. */
const e2eTests = {
  e2e: ['checkout', 'serverExample'],
  'devtools-e2e': ['console', 'long/consolePage'],
  'example-e2e': [
    ...['confirmation', 'dialog', 'exampleCoins', 'nft', 'operator', 'orders', 'pageFigures'],
    ...['quote', 'returnPage', 'shopAccessibility', 'twoWallets'],
    ...['long/faultSwitches', 'long/foundAgain', 'long/gracefulShutdown'],
  ],
  latency: ['long/openLatency', 'long/twoInstances'],
};

const e2e = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  test: {
    name,
    environment: 'node' as const,
    include: include.map((test) => `test/e2e/${test}.test.ts`),
    exclude: exclude.map((test) => `test/e2e/${test}.test.ts`),
    isolate: false,
    ...again,
    ...browserWorkers,
    ...long,
  },
});

/** `scripts/jobs.mjs` says which job runs which project. A test belongs to one project. */
const projects: TestProjectInlineConfiguration[] = [
  {
    test: {
      name: 'node',
      environment: 'node',
      isolate: false,
      restoreMocks: true,
      include: ['test/**/*.test.{ts,tsx}'],
      exclude: [...otherProjects, isolatedTests],
      ...seeded,
      ...workers,
      ...patient,
    },
  },
  {
    test: {
      name: 'isolated',
      environment: 'node',
      include: [`test/${isolatedTests}`],
      exclude: otherProjects,
      ...seeded,
      ...workers,
      ...patient,
    },
  },
  {
    test: {
      ...withPostgres,
      name: 'stores',
      include: storeSample,
    },
  },
  {
    ...browser,
    test: {
      ...createCurrentReact(),
      name: 'browser',
      include: ['test/**/*.browser.tsx'],
      exclude: [widgetTests, ...uiTests, '**/node_modules/**'],
    },
  },
  {
    test: { name: 'exports', environment: 'node', include: exportTests, ...workers, ...long },
  },
  {
    test: {
      name: 'server-example',
      environment: 'node',
      include: ['server-example/test/**/*.test.ts'],
      ...workers,
      ...long,
    },
  },
  e2e('e2e', e2eTests.e2e),
  {
    test: {
      ...withPostgres,
      name: 'other-stores',
      // Processes are killed, locked and restarted many times, which takes minutes on a slow machine.
      testTimeout: 600_000,
      include: ['test/server/sql/**/*.test.ts'],
      exclude: storeSample,
    },
  },
  {
    // The lowest supported versions of the peer dependencies. All other projects have the highest.
    resolve: { alias: lowestVersions('express', 'kysely', 'pg') },
    test: {
      ...withPostgres,
      name: 'peers',
      include: [
        'test/peers/*.test.ts',
        'test/server/express.test.ts',
        'test/server/sql/{SqlDatabase,postgresPool,schema,sqlOrderStore.postgres,sqlOrderStore.sqlite}.test.ts',
        'test/server/sql/mistakes/*.test.ts',
        'test/server/sql/transactions/*.test.ts',
      ],
    },
  },
  {
    test: {
      name: 'simulation',
      environment: 'node',
      include: ['test/simulation/{regressions,simulation}.test.ts'],
      testTimeout: 600_000,
    },
  },
  {
    test: { ...withPostgres, name: 'devtools', include: ['test/{cli,sandbox}/**/*.test.ts'] },
  },
  {
    ...browser,
    test: {
      ...browser.test,
      name: 'devtools-browser',
      include: [widgetTests],
      browser: createBrowserConfig(),
    },
  },
  e2e('devtools-e2e', e2eTests['devtools-e2e']),
  { ...browser, test: { ...createCurrentReact(), name: 'ui-browser', include: uiTests } },
  {
    // The browser tests with the oldest supported React and react-query.
    ...browser,
    // `npm ci` of other versions removes the bundled dependencies too.
    cacheDir: 'test/peers/node_modules/.vite',
    resolve: { alias: lowestVersions('react', 'react-dom', '@tanstack/react-query') },
    test: {
      ...browser.test,
      name: 'react18',
      provide: { reactMajor: 18 },
      include: ['test/**/*.browser.tsx'],
      exclude: [...withoutReact, '**/node_modules/**'],
      browser: createBrowserConfig(),
    },
  },
  {
    test: {
      ...e2e('overlays', []).test,
      include: ['test/overlays/*.test.ts'],
    },
  },
  e2e('ui-e2e', ['**/*'], Object.values(e2eTests).flat()),
  {
    test: {
      ...withPostgres,
      name: 'example',
      include: ['examples/{operator-page,print-shop}/test/**/*.test.ts'],
    },
  },
  e2e('example-e2e', e2eTests['example-e2e']),
  {
    test: {
      // The examples run one after another, because each runs servers and a browser.
      ...consumers,
      ...again,
      name: 'examples',
      include: ['test/consumers/examples/*.test.ts'],
      exclude: frameworkTests,
      fileParallelism: false,
    },
  },
  {
    test: {
      ...consumers,
      ...again,
      name: 'frameworks',
      include: frameworkTests,
      fileParallelism: false,
    },
  },
  {
    test: {
      name: 'packaging',
      environment: 'node',
      include: ['test/packaging/**/*.test.ts'],
      exclude: exportTests,
      ...workers,
      ...long,
    },
  },
  {
    test: {
      // Checks the size limits in every bundler.
      ...consumers,
      ...workers,
      name: 'sizes',
      include: [sizes],
      env: production,
    },
  },
  {
    test: {
      ...consumers,
      ...workers,
      name: 'consumers',
      include: ['test/consumers/**/*.test.ts'],
      exclude: [sizes, 'test/consumers/{servers,examples,runtimes}/**', '**/node_modules/**'],
      env: production,
    },
  },
  {
    test: {
      ...consumers,
      ...again,
      name: 'ownership',
      include: ['test/consumers/examples/ownership/*.test.ts'],
      fileParallelism: false,
    },
  },
  {
    test: {
      ...consumers,
      ...workers,
      name: 'servers',
      include: ['test/consumers/servers/*.test.ts'],
    },
  },
  { test: { ...withPostgres, name: 'runtimes', include: ['test/consumers/runtimes/*.test.ts'] } },
  {
    test: {
      name: 'next',
      environment: 'node',
      include: ['test/next/*.test.ts'],
      // The tests share one folder, so they cannot run at the same time.
      fileParallelism: false,
      ...long,
    },
  },
  e2e('latency', e2eTests.latency),
  {
    test: {
      // Each of these tests takes minutes.
      name: 'faults',
      environment: 'node',
      include: ['test/faults/*.test.ts'],
      globalSetup: 'test/support/database/postgresSetup.ts',
      fileParallelism: false,
      testTimeout: 1_800_000,
      hookTimeout: 120_000,
    },
  },
];

/**
 * Whether to define the project `storybook`. Its plugin takes seconds to load, so the project is defined only when
 * the command names it, or when Storybook's button "Run tests" starts Vitest.
 */
const needsStorybook =
  process.env.VITEST_STORYBOOK || process.argv.some((word) => word.endsWith('storybook'));

const isPlain = ({ test }: TestProjectInlineConfiguration): boolean =>
  ['node', 'isolated', 'stores', 'exports'].includes(`${test?.name}`);

export default defineConfig({
  test: {
    projects: [
      ...(needsStorybook ? ['.storybook/vitest.config.ts'] : []),
      // Run one project after the other. On a small machine, a browser and a build would compete for the cores. The
      // projects of `npm test` without a browser have no such needs, so their files run side by side.
      ...projects.map((project, index) => ({
        ...project,
        test: { ...project.test, sequence: { groupOrder: isPlain(project) ? 0 : index + 1 } },
      })),
    ],
  },
});
