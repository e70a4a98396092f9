import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './test/support/chromium.js';

/** A function, as Vitest writes a project's name into this object: shared, it mislabels projects. */
const browser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions }),
  instances: [{ browser: 'chromium' as const }],
});

/** Named beforehand, or Vite finds them while the tests run and reloads the page under them. */
const optimizeDeps = {
  include: [
    'react',
    'react-dom',
    'react-dom/client',
    'react/jsx-runtime',
    'react/jsx-dev-runtime',
    '@testing-library/jest-dom/vitest',
    '@testing-library/react',
    '@testing-library/user-event',
    'axe-core',
    'zod/mini',
  ],
};

const long = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/**/*.test.ts', 'server-example/test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/packaging/**', '**/node_modules/**'],
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'dom',
          environment: 'jsdom',
          include: ['test/**/*.test.tsx'],
          exclude: ['**/node_modules/**'],
          setupFiles: ['test/support/setup-dom.ts'],
        },
      },
      {
        plugins: [react()],
        optimizeDeps,
        test: {
          name: 'browser',
          include: ['test/**/*.browser.tsx'],
          exclude: ['**/node_modules/**'],
          browser: browser(),
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
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          ...long,
        },
      },
    ],
  },
});
