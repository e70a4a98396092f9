import { existsSync } from 'node:fs';

export const firefoxPath = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';

/** Checks that Firefox is installed. It runs before the stories, so that reading the configuration needs no Firefox. */
export default function requireFirefox(): void {
  if (!existsSync(firefoxPath))
    throw new Error(
      `Firefox not found at ${firefoxPath}. Install Firefox ESR 153 or newer, or set its path in FIREFOX_PATH.`,
    );
}
