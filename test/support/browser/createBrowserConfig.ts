import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { contextOptions, launchOptions } from './launchOptions.js';

/** Creates the browser options of one Vitest project. Each project needs its own: Vitest adds the project's name. */
export const createBrowserConfig = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions, contextOptions }),
  instances: [{ browser: 'chromium' as const }],
});

/**
 * Caches modules in the browser. Otherwise each test file would request all modules again, because Vite sends
 * `no-cache`. These requests took a fifth of the time of the tests. Changed modules are still loaded in watch mode,
 * because Vite adds a new query to their URL.
 */
export const moduleCachePlugin: Plugin = {
  name: 'module-cache',
  configureServer({ middlewares }) {
    middlewares.use((_, response, next) => {
      const { setHeader } = response;
      response.setHeader = (name, value) =>
        setHeader.call(
          response,
          name,
          name.toLowerCase() === 'cache-control' && value === 'no-cache' ? 'max-age=3600' : value,
        );
      next();
    });
  },
};
