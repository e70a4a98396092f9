import { existsSync } from 'node:fs';

export const firefoxPath = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';

/** Runs before the stories. Tools that only read the configuration need no Firefox. */
export default function requireFirefox(): void {
  if (!existsSync(firefoxPath))
    throw new Error(
      `There is no Firefox at ${firefoxPath}. Install Firefox ESR 153 or newer, or name one in FIREFOX_PATH.`,
    );
}
