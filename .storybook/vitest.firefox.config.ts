import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const executablePath = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';
if (!existsSync(executablePath))
  throw new Error(
    `There is no Firefox at ${executablePath}. Install Firefox ESR 153 or newer, or name one in FIREFOX_PATH.`,
  );

// The same stories in a stock Firefox, over WebDriver BiDi: npm run test:firefox.
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  cacheDir: 'node_modules/.vite-firefox',
  plugins: [storybookTest()],
  test: {
    name: 'firefox',
    // It starts slowly.
    testTimeout: 30_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { channel: 'moz-firefox', executablePath } }),
      instances: [{ browser: 'firefox' }],
    },
  },
});
