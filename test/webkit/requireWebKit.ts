import { existsSync } from 'node:fs';

/** The programs that the tests need. The defaults are the paths of Debian's packages. */
export const programs = {
  driver: process.env.WEBKIT_DRIVER_PATH ?? '/usr/bin/WebKitWebDriver',
  display: process.env.XVFB_PATH ?? '/usr/bin/Xvfb',
};

/** Checks that the programs are installed. This is the global setup of the WebKit tests. */
export default function requireWebKit(): void {
  const missing = Object.values(programs).filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(
      `Not found: ${missing.join(', ')}. Install WebKitGTK with its WebDriver, and a virtual display: ` +
        'apt-get install webkit2gtk-driver xvfb. Or set the paths in WEBKIT_DRIVER_PATH and XVFB_PATH.',
    );
}
