import { execFile } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { writePrivateFile } from '../sandbox/state/writePrivateFile.js';
import { UsageError } from './Command.js';

const BEGIN = '# partner-ramp sandbox: begin. The command replaces these lines at each start.';
const END = '# partner-ramp sandbox: end';
const beginPattern = /^# partner-ramp sandbox: begin.*$/gm;
const blockPattern = /^# partner-ramp sandbox: begin[\s\S]*?^# partner-ramp sandbox: end\r?$\n?/m;

/**
 * Formats variables as lines of a .env file. Node.js, dotenv and Vite all read the result alike: PEM text is on one
 * line in double quotes, with `\n` for line breaks.
 */
export function formatVariables(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) =>
      value.includes('\n') ? `${name}="${value.replaceAll('\n', '\\n')}"\n` : `${name}=${value}\n`,
    )
    .join('');
}

/**
 * Writes variables into the marked block of a .env file, and makes the file readable only by its owner. The rest of the
 * file stays the same, byte for byte. If the file has no block, one is added at its end.
 *
 * @throws UsageError if the path is a symbolic link or not a file, or if the marks in the file are damaged.
 */
export function writeEnvBlock(path: string, variables: Readonly<Record<string, string>>): void {
  // In latin1, each byte is one character, so bytes of any encoding survive.
  const before = readOwnFile(path).toString('latin1');
  const block = Buffer.from(`${BEGIN}\n${formatVariables(variables)}${END}\n`).toString('latin1');
  writePrivateFile(path, Buffer.from(replaceBlock(before, block, path), 'latin1'));
}

function replaceBlock(content: string, block: string, path: string): string {
  const begins = content.match(beginPattern)?.length ?? 0;
  if (begins === 0)
    return content === '' || content.endsWith('\n') ? content + block : `${content}\n${block}`;
  if (begins > 1 || !blockPattern.test(content))
    throw new UsageError(
      `${path} does not have one pair of the lines "# partner-ramp sandbox: begin" and "# partner-ramp sandbox: end". Remove these lines and the variables between them.`,
    );
  return content.replace(blockPattern, () => block);
}

/** Reads a file that is not a symbolic link. Returns an empty buffer if the file does not exist. */
function readOwnFile(path: string): Buffer {
  let file: number;
  try {
    // Windows has no O_NOFOLLOW. There the rename replaces the link, not its target.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return Buffer.alloc(0);
    if (code === 'ELOOP')
      throw new UsageError(`${path} is a symbolic link. Set --write-env to the file itself.`);
    throw error;
  }
  try {
    if (!fstatSync(file).isFile()) throw new UsageError(`${path} is not a file.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Resolves with whether `git add` would add the file, or the repository already contains it. Resolves with `false`
 * outside a repository and without Git.
 */
export function isTrackable(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const args = ['check-ignore', '--quiet', '--', basename(path)];
    execFile('git', args, { cwd: dirname(path), timeout: 5000 }, (error) =>
      // 0: ignored. 1: not ignored, or tracked. Others: no repository, or no Git.
      resolve(error?.code === 1),
    );
  });
}
