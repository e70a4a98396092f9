import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { defineConfig } from 'vitest/config';
import {
  createBrowserConfig,
  moduleCachePlugin,
} from '../test/support/browser/createBrowserConfig.js';

// This project is not in the vitest.config.ts of the root: the plugin reads all of Storybook when the project is
// defined, which would delay each run of any project by a second or more.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [storybookTest(), moduleCachePlugin],
  // Optimize dependencies anew in each run, which takes about a second. Otherwise Vite could find a package that only
  // one story imports during the tests, and would then reload the page.
  optimizeDeps: { force: true },
  test: {
    name: 'storybook',
    browser: createBrowserConfig(),
    maxWorkers: 2,
    sequence: { groupOrder: 100 },
    // With isolation, each story file would load all of Storybook again.
    isolate: false,
  },
});
