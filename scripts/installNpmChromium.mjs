import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installFolder, root } from './install.mjs';

const tools = join(root, 'scripts', 'chromium');

/** Installs a Chromium from npm with its libraries and fonts. This works only on Linux on x64. */
export async function installNpmChromium(cache) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('the Chromium from npm supports only Linux on x64');
  installFolder(tools);
  const { version } = JSON.parse(
    readFileSync(join(tools, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  );
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) await extractTo(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: writeFontsConfig(folder),
    },
  };
}

async function extractTo(folder) {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const before = { ...process.env };
  try {
    process.env.TMPDIR = unfinished;
    // The package reads this variable when it is imported. Without the variable, it does not unpack its nss and nspr
    // libraries.
    process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x';
    const entry = createRequire(join(tools, 'package.json')).resolve('@sparticuz/chromium');
    const { default: chromium } = await import(pathToFileURL(entry).href);
    await chromium.executablePath();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
  // Rename the folder last, so that an interrupted extraction never looks complete.
  renameSync(unfinished, folder);
}

/**
 * Writes a fontconfig file that points to the fonts. The package's own file points to a fixed folder, which does not
 * exist. Without fonts, text would have no height, and tests would treat every element as invisible.
 */
function writeFontsConfig(folder) {
  const file = join(folder, 'fonts.conf');
  const folders = ['/usr/share/fonts', join(folder, 'fonts')];
  const lines = folders.map((dir) => `  <dir>${dir}</dir>`);
  writeFileSync(
    file,
    `<?xml version="1.0"?>\n<fontconfig>\n${lines.join('\n')}\n  <cachedir>${join(folder, 'fonts-cache')}</cachedir>\n</fontconfig>\n`,
  );
  return file;
}
