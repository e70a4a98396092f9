import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The programs that the tests need. The defaults are the paths of Debian's packages. */
export const programs = {
  driver: process.env.WEBKIT_DRIVER_PATH ?? '/usr/bin/WebKitWebDriver',
  display: process.env.XVFB_PATH ?? '/usr/bin/Xvfb',
  python: process.env.WEBKIT_PYTHON_PATH ?? '/usr/bin/python3',
};

const install = 'apt-get install webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1';

/** Checks that the programs are installed. This is the global setup of the WebKit tests. */
export default function requireWebKit(): void {
  const missing = Object.values(programs).filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(
      `Not found: ${missing.join(', ')}. Install WebKitGTK with its WebDriver, a virtual display, and Python: ` +
        `${install}. Or set the paths in WEBKIT_DRIVER_PATH, XVFB_PATH and WEBKIT_PYTHON_PATH.`,
    );
  // Only the Python of the system has Debian's modules.
  const code = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')";
  const { status, stderr } = spawnSync(programs.python, ['-c', code], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(
      `${programs.python} cannot load WebKitGTK, which webView.py needs. Install it: ${install}. Or set the path of a ` +
        `Python that has it in WEBKIT_PYTHON_PATH.\n${stderr}`,
    );
}
