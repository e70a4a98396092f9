import { existsSync } from 'node:fs';

export const firefoxPath = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';

/**
 * Checks that Firefox is installed. This is a global setup, not part of the configuration, so that the configuration
 * can be read on a machine without Firefox.
 */
export default function requireFirefox(): void {
  if (!existsSync(firefoxPath))
    throw new Error(
      `Firefox not found at ${firefoxPath}. Install Firefox ESR 153 or newer, or set its path in FIREFOX_PATH.`,
    );
}
