import { readdirSync, readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import {
  createBrowserConfig,
  moduleCachePlugin,
} from './test/support/browser/createBrowserConfig.js';
import { react18 } from './test/support/browser/react18.js';

/** Dependencies to bundle in advance. Otherwise Vite discovers them during the tests and reloads the page. */
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
 * Tests that replace modules, timers or globals run isolated. All others share the loaded modules, which saves a
 * third of the time.
 */
const replaces =
  /\bvi\.(?:mock|doMock|hoisted|resetModules|stub|useFakeTimers|setSystemTime|spyOn\((?:globalThis|performance|Date))/;
const replacing = ['test', 'server-example/test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => replaces.test(readFileSync(file, 'utf8'))),
);

const nodeTests = ['test/**/*.test.{ts,tsx}', 'server-example/test/**/*.test.ts'];
const otherProjects = [
  'test/{e2e,faults,packaging,next,consumers,server/sql}/**',
  'server-example/test/stores/**',
  '**/node_modules/**',
];

/** Tests of the sandbox, which ships its own React, and of code that React does not run. */
const withoutReact = [
  'test/mistakes/**',
  'test/sandbox/**',
  'test/react/dev/checkWidgetUrl.browser.tsx',
  'test/react/checkout/views/dialog.lockScroll.browser.tsx',
  'test/react/status/CheckoutStatus.unreachable.browser.tsx',
];

/** Each worker also runs a browser. Vitest requires a separate group for projects with another `maxWorkers`. */
const two = { maxWorkers: 2, sequence: { groupOrder: 1 } };

/** By default `expect.poll` times out after one second, which a busy machine needs to load a page. */
const long = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
};

/** The configuration that Storybook's button "Run tests" reads; `npm test` names the file explicitly. */
const stories = process.env.VITEST_STORYBOOK ? ['.storybook/vitest.config.ts'] : [];

export default defineConfig({
  test: {
    projects: [
      ...stories,
      {
        test: {
          name: 'node',
          environment: 'node',
          isolate: false,
          restoreMocks: true,
          include: nodeTests,
          exclude: [...otherProjects, ...replacing],
        },
      },
      {
        test: {
          name: 'isolated',
          environment: 'node',
          include: replacing,
          exclude: otherProjects,
        },
      },
      {
        test: {
          // Tests of the stores that need a database.
          name: 'stores',
          environment: 'node',
          include: ['test/server/sql/**/*.test.ts', 'server-example/test/stores/*.test.ts'],
          globalSetup: 'test/support/database/postgresSetup.ts',
          ...long,
        },
      },
      {
        test: {
          // Each takes minutes, so only `npm run faults` runs them.
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
        plugins: [react(), moduleCachePlugin],
        optimizeDeps,
        test: {
          name: 'browser',
          ...two,
          provide: { reactMajor: 19 },
          include: ['test/**/*.browser.tsx'],
          setupFiles: 'test/support/browser/browserSetup.ts',
          exclude: ['**/node_modules/**'],
          browser: createBrowserConfig(),
        },
      },
      {
        plugins: [react(), moduleCachePlugin],
        optimizeDeps,
        cacheDir: 'node_modules/.vite-react-18',
        resolve: { alias: react18 },
        test: {
          // The same tests with the oldest supported React, where the version can affect the result.
          name: 'react18',
          ...two,
          provide: { reactMajor: 18 },
          include: ['test/**/*.browser.tsx'],
          setupFiles: 'test/support/browser/browserSetup.ts',
          exclude: ['**/node_modules/**', ...withoutReact],
          browser: createBrowserConfig(),
        },
      },
      {
        test: {
          name: 'packaging',
          environment: 'node',
          include: ['test/packaging/**/*.test.ts'],
          ...long,
        },
      },
      {
        test: {
          // The package in bundlers and compilers that partners use.
          name: 'consumers',
          environment: 'node',
          include: ['test/consumers/**/*.test.ts'],
          exclude: ['test/consumers/{servers,examples,workerd}/**', '**/node_modules/**'],
          globalSetup: 'test/consumers/setup.ts',
          // The value of a production build. Vite and Rollup derive the condition `development` from it.
          env: { NODE_ENV: 'production' },
          ...long,
        },
      },
      {
        test: {
          // The examples with the packed package, and the handler in another runtime.
          name: 'examples',
          environment: 'node',
          include: ['test/consumers/{examples,workerd}/*.test.ts'],
          globalSetup: 'test/consumers/setup.ts',
          // Each runs servers and a browser.
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
          ...two,
          ...long,
        },
      },
      {
        test: {
          // End-to-end tests that are too slow for `npm test`.
          name: 'e2e-long',
          environment: 'node',
          include: ['test/e2e/long/*.test.ts'],
          ...two,
          ...long,
        },
      },
      {
        test: {
          name: 'servers',
          environment: 'node',
          include: ['test/consumers/servers/*.test.ts'],
          ...long,
        },
      },
      {
        test: {
          name: 'next',
          environment: 'node',
          include: ['test/next/*.test.ts'],
          // The tests share one folder.
          fileParallelism: false,
          ...long,
        },
      },
    ],
  },
});
