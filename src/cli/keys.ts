import { generateKeyPair, randomInt } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type Command, UsageError } from './Command.js';

const help = `Usage: npx @partner-ramp/react keys [--out FOLDER]

Creates the keys of a partner for tests: an RSA key pair for the partner API, and a SecretKey. The service issues the
keys of a real partner at onboarding.

  --out FOLDER   where to write the files, the current folder by default

It writes these files with mode 600, and never overwrites one:

  api-private-key.pem   signs requests to the partner API (PKCS#8)
  api-public-key.pem    verifies them: register it with the service (SPKI)
  secret-key.txt        signs the widget's URLs: 32 letters and digits

Example:

  mkdir -p .keys && npx @partner-ramp/react keys --out .keys
`;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `partner-ramp keys`: creates an RSA key pair and a SecretKey in files that only their owner can read. */
export const keys: Command = {
  summary: 'create an RSA key pair and a SecretKey in files',
  help,
  async run(args, { print, cwd }) {
    const { values } = parseArgs({ args, options: { out: { type: 'string', default: '.' } } });
    const folder = resolve(cwd, values.out);
    const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const secretKey = Array.from({ length: 32 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    const contents = {
      'api-private-key.pem': privateKey,
      'api-public-key.pem': publicKey,
      'secret-key.txt': secretKey,
    };
    await writeNewFiles(folder, contents);
    for (const name of Object.keys(contents)) print(`wrote ${join(values.out, name)}\n`);
    print('Keep them out of the repository: add the folder to .gitignore.\n');
    return 0;
  },
};

/** Writes all files, or none if one of them exists. */
async function writeNewFiles(folder: string, contents: Record<string, string>): Promise<void> {
  const files = [];
  try {
    for (const [name, content] of Object.entries(contents)) {
      const path = join(folder, name);
      // The flag wx fails if the file exists, and does not follow a symbolic link.
      files.push({ path, content, handle: await open(path, 'wx', 0o600) });
    }
    for (const { handle, content } of files) await handle.writeFile(content);
  } catch (error) {
    for (const { path } of files) await unlink(path);
    throw toUsageError(error, folder);
  } finally {
    for (const { handle } of files) await handle.close();
  }
}

function toUsageError(error: unknown, folder: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST')
    return new UsageError(`${path} exists, and keys are never overwritten. Choose another --out.`);
  if (code === 'ENOENT') return new UsageError(`The folder ${folder} does not exist. Create it.`);
  return error;
}
