import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Runs purchases in the engine of Safari over WebDriver: npm run check -- webkit.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    name: 'webkit',
    environment: 'node',
    include: ['test/webkit/*.webkit.ts'],
    globalSetup: fileURLToPath(new URL('requireWebKit.ts', import.meta.url)),
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
