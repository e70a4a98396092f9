import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { defineConfig } from 'vitest/config';
import {
  createBrowserConfig,
  moduleCachePlugin,
} from '../test/support/browser/createBrowserConfig.js';

// Apart from the other projects: the plugin reads all of Storybook as soon as it is named, and every
// run of any project would wait a second or more for it.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [storybookTest(), moduleCachePlugin],
  // For about a second: a package that a story is the first to import would otherwise be found while
  // the tests run, and the page reloaded under them.
  optimizeDeps: { force: true },
  test: {
    name: 'storybook',
    browser: createBrowserConfig(),
    maxWorkers: 2,
    // Otherwise each file of stories loads all of Storybook again.
    isolate: false,
  },
});
