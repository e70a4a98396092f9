import { playwright } from '@vitest/browser-playwright';
import { contextOptions, launchOptions } from './chromium.js';

/** A function, as Vitest writes a project's name into this object: shared, it mislabels projects. */
export const browser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions, contextOptions }),
  instances: [{ browser: 'chromium' as const }],
});
