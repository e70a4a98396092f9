import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { defineConfig } from 'vitest/config';
import {
  createBrowserConfig,
  moduleCachePlugin,
} from '../test/support/browser/createBrowserConfig.js';

// Separate from the other projects: the plugin reads all of Storybook when its project is defined, which would
// delay each run of any project by a second or more.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [storybookTest(), moduleCachePlugin],
  // Takes about a second. Otherwise a package that only one story imports would be found during the tests, and
  // Vite would reload the page.
  optimizeDeps: { force: true },
  test: {
    name: 'storybook',
    browser: createBrowserConfig(),
    maxWorkers: 2,
    sequence: { groupOrder: 100 },
    // Otherwise each story file loads all of Storybook again.
    isolate: false,
  },
});
