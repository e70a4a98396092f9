import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { contextOptions, launchOptions } from './chromium.js';

/** A function, as Vitest writes a project's name into this object: shared, it mislabels projects. */
export const browser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions, contextOptions }),
  instances: [{ browser: 'chromium' as const }],
});

/**
 * Lets the browser keep what the server has sent. By itself Vite has each module asked for again, once for each file of
 * tests: a third of the time. Nothing changes while tests run; in watch mode Vite adds a new query to what has changed.
 */
export const keepModules: Plugin = {
  name: 'keep-modules',
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
