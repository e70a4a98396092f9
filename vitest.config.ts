import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import {
  createBrowserConfig,
  moduleCachePlugin,
} from './test/support/browser/createBrowserConfig.js';
import { react18 } from './test/support/browser/react18.js';

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

/** The number of workers for browser tests. It is small, because each worker also runs a browser. */
const browserWorkers = { maxWorkers: 2 };

/**
 * Tests named `*.isolated.test.ts` replace modules, timers or globals, so each file loads its own modules. The
 * tests of the project `node` share their modules, which saves a third of the time.
 */
const isolatedTests = '**/*.isolated.test.{ts,tsx}';

const otherProjects = [
  'test/{e2e,faults,packaging,next,consumers,server/sql,simulation}/**',
  'server-example/test/stores/**',
  'test/cli/*.stores.test.ts',
  '**/node_modules/**',
];

/** Store tests with many cases. The project `stores` runs a sample of the cases, `stores-long` runs all. */
const sampledStoreTests = [
  'sqlOrderStore.equivalence',
  'changeArrival',
  'faults/statementFaults',
].map((name) => `test/server/sql/${name}.test.ts`);

const longStoreTests = 'test/server/sql/**/long/*.test.ts';

/** The browser tests that `npm test` also runs with React 18: those of rendering, effects and hydration. */
const react18Tests = [
  ...['button/OnRampButton', 'button/OnRampButton.dialog', 'button/OnRampButton.inline'],
  ...['nft/NftCheckout', 'provider/RampProvider', 'checkout/onStatusChange'],
  ...['unmountCleanup', 'conformance', 'darkMode'],
  ...['quote/QuotePreview', 'quote/QuotePreview.button', 'quote/QuotePreview.hydration'],
  ...['quote/hooks/useCurrencies', 'quote/hooks/useQuote', 'status/CheckoutStatus'],
].map((name) => `test/react/${name}.browser.tsx`);

/** Browser tests that the version of React cannot affect. The sandbox, for example, ships its own React. */
const withoutReact = [
  'test/element/**',
  'test/mistakes/**',
  'test/sandbox/**',
  'test/react/dev/checkWidgetUrl.browser.tsx',
  'test/react/checkout/views/dialog.lockScroll.browser.tsx',
  'test/react/status/CheckoutStatus.unreachable.browser.tsx',
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
 * A browser test that fails is tried once more: on a busy machine, a page may miss a time limit. `npm test` names each
 * test that passed only then, because a test that does so often hides a defect.
 */
const again = { retry: 1 };

const stores = {
  environment: 'node' as const,
  globalSetup: 'test/support/database/postgresSetup.ts',
  ...seeded,
  ...workers,
  ...long,
};

const browser = {
  plugins: [react(), moduleCachePlugin],
  optimizeDeps,
  test: {
    provide: { reactMajor: 19 },
    include: ['test/**/*.browser.tsx'],
    exclude: ['**/node_modules/**'],
    setupFiles: 'test/support/browser/browserSetup.ts',
    ...again,
    ...browserWorkers,
  },
};

/** The browser tests with the oldest supported React, except those that the version of React cannot affect. */
const withReact18 = {
  ...browser,
  cacheDir: 'node_modules/.vite-react-18',
  resolve: { alias: react18 },
  test: {
    ...browser.test,
    provide: { reactMajor: 18 },
    exclude: [...browser.test.exclude, ...withoutReact],
  },
};

/** The first test of a file loads modules on demand, which takes long on a busy machine. */
const patient = { testTimeout: 30_000 };

/** Tests of the package in the tools that partners use. */
const consumers = {
  environment: 'node' as const,
  globalSetup: 'test/consumers/setup.ts',
  ...long,
};

/** Tests of the examples. They run one after another, because each runs servers and a browser. */
const examples = {
  ...consumers,
  ...again,
  include: ['test/consumers/examples/*.test.ts'],
  fileParallelism: false,
};

/**
 * The environment of a production build. Without it, Vite and Rollup would resolve imports with the condition
 * `development`.
 */
const production = { NODE_ENV: 'production' };

const sizes = 'test/consumers/bundlers/sizes.test.ts';

/** Projects named `…-long` have tests that are too slow for `npm test`. */
const projects: TestProjectInlineConfiguration[] = [
  {
    test: {
      name: 'node',
      environment: 'node',
      isolate: false,
      restoreMocks: true,
      include: ['test/**/*.test.{ts,tsx}', 'server-example/test/**/*.test.ts'],
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
      include: [`test/${isolatedTests}`, `server-example/test/${isolatedTests}`],
      exclude: otherProjects,
      ...seeded,
      ...workers,
      ...patient,
    },
  },
  {
    test: {
      name: 'contract-long',
      environment: 'node',
      include: ['test/contract/handlerResponses.test.ts'],
      env: { CASES: 'all' },
      ...seeded,
    },
  },
  {
    test: {
      name: 'explain-long',
      environment: 'node',
      include: ['test/sandbox/explain/{pairs,unknownUrls,unknownRequests}.test.ts'],
      env: { CASES: 'all' },
      ...seeded,
      ...workers,
    },
  },
  {
    test: {
      ...stores,
      name: 'stores',
      include: [
        'test/server/sql/**/*.test.ts',
        'test/cli/*.stores.test.ts',
        'server-example/test/stores/*.test.ts',
      ],
      exclude: ['**/node_modules/**', longStoreTests],
    },
  },
  {
    test: {
      ...stores,
      name: 'stores-long',
      include: [...sampledStoreTests, longStoreTests],
      env: { CASES: 'all' },
    },
  },
  {
    test: {
      // Each of these tests takes minutes, so only `npm run faults` runs them.
      name: 'faults',
      environment: 'node',
      include: ['test/faults/*.test.ts'],
      globalSetup: 'test/support/database/postgresSetup.ts',
      fileParallelism: false,
      testTimeout: 1_800_000,
      hookTimeout: 120_000,
    },
  },
  {
    test: {
      name: 'simulation',
      environment: 'node',
      include: ['test/simulation/simulation.test.ts'],
      testTimeout: 600_000,
    },
  },
  {
    test: {
      name: 'simulation-long',
      environment: 'node',
      include: ['test/simulation/randomSeeds.test.ts'],
      testTimeout: 600_000,
    },
  },
  { ...browser, test: { ...browser.test, name: 'browser', browser: createBrowserConfig() } },
  {
    ...withReact18,
    test: {
      ...withReact18.test,
      name: 'react18',
      include: react18Tests,
      browser: createBrowserConfig(),
    },
  },
  {
    ...withReact18,
    test: { ...withReact18.test, name: 'react18-long', browser: createBrowserConfig() },
  },
  {
    test: {
      name: 'packaging',
      environment: 'node',
      include: ['test/packaging/**/*.test.ts'],
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
      exclude: [
        sizes,
        'test/consumers/{servers,examples,ownership,runtimes}/**',
        '**/node_modules/**',
      ],
      env: production,
    },
  },
  { test: { ...examples, name: 'examples' } },
  { test: { ...examples, name: 'examples-long', env: { CONSUMERS: 'all' } } },
  {
    test: {
      ...consumers,
      ...again,
      name: 'ownership',
      include: ['test/consumers/ownership/*.test.ts'],
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
  {
    test: {
      ...stores,
      name: 'runtimes',
      include: ['test/consumers/runtimes/*.test.ts'],
    },
  },
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
  {
    test: {
      name: 'e2e',
      environment: 'node',
      include: ['test/e2e/*.test.ts'],
      isolate: false,
      ...again,
      ...browserWorkers,
      ...long,
    },
  },
  {
    test: {
      name: 'e2e-long',
      environment: 'node',
      include: ['test/e2e/long/*.test.ts', 'test/e2e/pageFigures.test.ts'],
      env: { CASES: 'all' },
      ...again,
      ...browserWorkers,
      ...long,
    },
  },
];

/**
 * Whether to define the project `storybook`. Its plugin takes seconds to load, so the project is defined only when
 * the command names it, or when Storybook's button "Run tests" starts Vitest.
 */
const needsStorybook =
  process.env.VITEST_STORYBOOK || process.argv.some((word) => word.endsWith('storybook'));

export default defineConfig({
  test: {
    projects: [
      ...(needsStorybook ? ['.storybook/vitest.config.ts'] : []),
      // Run one project after the other. On a small machine, a browser and a build would compete for the cores.
      ...projects.map((project, index) => ({
        ...project,
        test: { ...project.test, sequence: { groupOrder: index } },
      })),
    ],
  },
});
