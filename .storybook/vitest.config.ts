import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { defineConfig } from 'vitest/config';
import {
  createBrowserConfig,
  moduleCachePlugin,
} from '../test/support/browser/createBrowserConfig.js';

// The vitest.config.ts of the root includes this project only on request. The plugin reads all of Storybook as soon as
// the project is defined, which would delay every run of any project by a second or more.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [storybookTest(), moduleCachePlugin],
  // Optimize the dependencies anew in each run, which takes about a second. Otherwise Vite could discover a package in
  // the middle of the tests, when a story imports it for the first time, and reload the page.
  optimizeDeps: { force: true },
  test: {
    name: 'storybook',
    browser: createBrowserConfig(),
    maxWorkers: 2,
    // A story waits for its widget, which a busy machine loads slowly.
    testTimeout: 90_000,
    sequence: { groupOrder: 100 },
    // With isolation, each story file would load all of Storybook again.
    isolate: false,
  },
});
