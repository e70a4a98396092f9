import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { contextOptions, launchOptions } from './launchOptions.js';

/** Creates the browser options of one Vitest project. They cannot be shared, because Vitest adds the project's name. */
export const createBrowserConfig = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions, contextOptions }),
  instances: [{ browser: 'chromium' as const }],
});

/**
 * Caches modules in the browser. Vite sends `no-cache`, so each test file would request all modules again, which took
 * a fifth of the time. In watch mode Vite adds a new query to the URL of a changed module.
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
