import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, LaunchOptions } from 'playwright';

interface Browser {
  executablePath?: string;
  env?: Record<string, string>;
}

const record = fileURLToPath(new URL('../../../node_modules/.cache/browser.json', import.meta.url));

/** The browser that scripts/ensureBrowser.mjs recorded. If there is no record, Playwright uses its bundled browser. */
const { executablePath, env }: Browser = existsSync(record)
  ? JSON.parse(readFileSync(record, 'utf8'))
  : {};

/** The options with which Vitest and Playwright launch Chromium. */
export const launchOptions: LaunchOptions = {
  ...(executablePath && { executablePath }),
  ...(env && { env: { ...process.env, ...env } }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** The options of a new browser context. Motion is reduced to save CPU time, except in tests of motion. */
export const contextOptions = { reducedMotion: 'reduce' } satisfies BrowserContextOptions;
