import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { firefoxPath } from './requireFirefox.js';

// Runs the same stories in a standard Firefox over WebDriver BiDi: npm run check -- firefox.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  cacheDir: 'node_modules/.vite-firefox',
  plugins: [storybookTest()],
  test: {
    name: 'firefox',
    globalSetup: fileURLToPath(new URL('requireFirefox.ts', import.meta.url)),
    // Firefox starts slowly, so the first test needs more time.
    testTimeout: 90_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: { channel: 'moz-firefox', executablePath: firefoxPath },
      }),
      instances: [{ browser: 'firefox' }],
    },
  },
});
