// Finds or downloads a Chromium for the tests, and writes its path to node_modules/.cache/browser.json.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';
import { installNpmChromium } from './installNpmChromium.mjs';

const cache = join(root, 'node_modules', '.cache');
const record = join(cache, 'browser.json');
const playwrightFolder = { PLAYWRIGHT_BROWSERS_PATH: join(cache, 'playwright') };

const advice = `No Chromium could be found or downloaded. Any one of these helps:
  CHROME_PATH=/path/to/chrome npm test
  sudo apt-get install chromium        (Debian)
  npx playwright install --with-deps chromium
`;

/**
 * Returns what the browser prints for --version, or its path on Windows. Returns undefined if the browser does not run
 * on this machine.
 */
function answer({ executablePath, env }) {
  if (!existsSync(executablePath)) return undefined;
  // On Windows, Chrome would open a window instead of printing its version, so assume that it runs.
  if (process.platform === 'win32') return executablePath;
  const { status, stdout } = spawnSync(executablePath, ['--version'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 20_000,
  });
  return status === 0 ? stdout.trim() : undefined;
}

function fromEnvironment() {
  const executablePath = process.env.CHROME_PATH;
  return executablePath ? { executablePath } : undefined;
}

function fromSystem() {
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome'];
  const paths = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const apps = ['Google Chrome', 'Chromium'];
  const programs = [process.env.ProgramFiles, process.env.LOCALAPPDATA].filter(Boolean);
  const found = {
    darwin: apps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`),
    win32: programs.map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe')),
  }[process.platform];
  const files = found ?? names.flatMap((name) => paths.map((path) => join(path, name)));
  return files.map((executablePath) => ({ executablePath })).find(answer);
}

/**
 * Returns the path of Playwright's Chromium. A separate process finds it, because Playwright reads
 * PLAYWRIGHT_BROWSERS_PATH only once per process.
 */
function fromPlaywright(env) {
  const code = "import { chromium } from 'playwright'; console.log(chromium.executablePath())";
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { executablePath: stdout.trim() };
}

function downloadWithPlaywright() {
  process.stdout.write('Downloading Chromium with Playwright …\n');
  // The headless shell is not needed, because fromPlaywright() returns the path of the full browser.
  const cli = join(root, 'node_modules', 'playwright', 'cli.js');
  const { status } = spawnSync(process.execPath, [cli, 'install', 'chromium', '--no-shell'], {
    cwd: root,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000', ...process.env, ...playwrightFolder },
    stdio: 'ignore',
    timeout: 300_000,
  });
  if (status !== 0) throw new Error("Playwright's download failed");
  return fromPlaywright(playwrightFolder);
}

function getFromNpm() {
  process.stdout.write('Downloading Chromium from npm …\n');
  return installNpmChromium(cache);
}

function readRecord() {
  try {
    const known = JSON.parse(readFileSync(record, 'utf8'));
    const { CHROME_PATH } = process.env;
    return CHROME_PATH && CHROME_PATH !== known.executablePath ? undefined : known;
  } catch {
    return undefined;
  }
}

const ways = [
  ['the previous run', readRecord],
  ['CHROME_PATH', fromEnvironment],
  ['the system', fromSystem],
  ["Playwright's own", () => fromPlaywright({})],
  ["Playwright's own, in this project", () => fromPlaywright(playwrightFolder)],
  ['a download', downloadWithPlaywright],
  ['npm', getFromNpm],
];

/** Returns `{ executablePath, env? }` of a Chromium that runs on this machine, or undefined. */
export async function ensureBrowser() {
  for (const [name, find] of ways) {
    try {
      const browser = await find();
      const version = browser && answer(browser);
      if (version) {
        mkdirSync(cache, { recursive: true });
        writeFileSync(record, `${JSON.stringify(browser, null, 2)}\n`);
        process.stdout.write(`Browser: ${version} (${name})\n`);
        return browser;
      }
      if (name === 'CHROME_PATH' && browser)
        process.stderr.write(
          `The browser of CHROME_PATH does not run with --version: ${browser.executablePath}\n`,
        );
    } catch (error) {
      process.stdout.write(`No browser from ${name}: ${error.message}.\n`);
    }
  }
  process.stderr.write(advice);
  return undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = (await ensureBrowser()) ? 0 : 1;
