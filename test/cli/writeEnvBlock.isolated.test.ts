import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { loadEnv } from 'vite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UsageError } from '../../src/cli/Command.js';
import { isTrackable, writeEnvBlock } from '../../src/cli/writeEnvBlock.js';
import { createSavedKeys } from '../../src/sandbox/state/keys.js';

const createFolder = () => mkdtempSync(join(tmpdir(), 'partner-ramp-env-'));
const createFile = (content: string | Uint8Array = '') => {
  const path = join(createFolder(), '.env');
  writeFileSync(path, content);
  return path;
};
const variables = { RAMP_PARTNER_ID: 'p1', RAMP_API_URL: 'http://127.0.0.1:4010' };
const lines = 'RAMP_PARTNER_ID=p1\nRAMP_API_URL=http://127.0.0.1:4010\n';
const begin = '# partner-ramp sandbox: begin. The command replaces these lines at each start.\n';
const block = `${begin}${lines}# partner-ramp sandbox: end\n`;

describe('writeEnvBlock', () => {
  it('creates the file for its owner only', () => {
    const path = join(createFolder(), '.env');
    writeEnvBlock(path, variables);
    expect(readFileSync(path, 'utf8')).toBe(block);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['an empty file', '', block],
    ['a file that ends with a line', 'A=1\n', `A=1\n${block}`],
    ['a file whose last line has no end', 'A=1', `A=1\n${block}`],
    [
      'a file with a block',
      `A=1\n${begin}OLD=2\n# partner-ramp sandbox: end\nB=3\n`,
      `A=1\n${block}B=3\n`,
    ],
    [
      'a block at the end, without an end of the line',
      `${begin}OLD=2\n# partner-ramp sandbox: end`,
      block,
    ],
    [
      'lines of Windows',
      'A=1\r\n# partner-ramp sandbox: begin\r\nOLD=2\r\n# partner-ramp sandbox: end\r\nB=3\r\n',
      `A=1\r\n${block}B=3\r\n`,
    ],
    ['a mention of the block in a value', 'A="# partner-ramp sandbox: begin"\n', undefined],
  ])('keeps the rest of %s', (_, before, after) => {
    const path = createFile(before);
    writeEnvBlock(path, variables);
    expect(readFileSync(path, 'utf8')).toBe(after ?? before + block);
  });

  it('keeps all bytes around its block, also if they are not text, and is idempotent', () => {
    const path = createFile();
    const bytes = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(bytes, bytes, (before, after) => {
        const start = Buffer.concat([before, Buffer.from('\n')]);
        writeFileSync(
          path,
          Buffer.concat([start, Buffer.from(`${begin}# partner-ramp sandbox: end\n`), after]),
        );
        writeEnvBlock(path, variables);
        writeEnvBlock(path, variables);
        const expected = Buffer.concat([start, Buffer.from(block), after]);
        expect(readFileSync(path).equals(expected)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('makes a file that others could read private', () => {
    const path = createFile('A=1\n');
    chmodSync(path, 0o644);
    writeEnvBlock(path, variables);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it.each([
    ['no end', `${begin}A=1\n`],
    ['two beginnings', block + block],
    ['the end before the beginning', `# partner-ramp sandbox: end\n${begin}A=1\n`],
  ])('refuses a block with %s, and changes nothing', (_, content) => {
    const path = createFile(content);
    expect(() => writeEnvBlock(path, variables)).toThrow(UsageError);
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  it.skipIf(process.platform === 'win32')('refuses a symbolic link and a folder', () => {
    const path = createFile('A=1\n');
    const link = join(createFolder(), '.env');
    symlinkSync(path, link);
    expect(() => writeEnvBlock(link, variables)).toThrow('is a symbolic link');
    expect(readFileSync(path, 'utf8')).toBe('A=1\n');
    const dangling = join(createFolder(), '.env');
    symlinkSync(join(createFolder(), 'missing'), dangling);
    expect(() => writeEnvBlock(dangling, variables)).toThrow('is a symbolic link');
    expect(() => writeEnvBlock(createFolder(), variables)).toThrow('is not a file');
  });

  it('leaves no temporary file, also when it fails', () => {
    const path = createFile(`${begin}A=1\n`);
    expect(() => writeEnvBlock(path, variables)).toThrow();
    writeFileSync(path, '');
    writeEnvBlock(path, variables);
    expect(readdirSync(join(path, '..'))).toEqual(['.env']);
  });

  it('writes keys that Node.js and Vite read alike', async () => {
    const { apiPrivateKey, secretKey } = await createSavedKeys();
    const url = 'http://127.0.0.1:3000/hook?a=1&b=%20';
    const given = { RAMP_KEY: apiPrivateKey, RAMP_SECRET: secretKey, RAMP_URL: url };
    const path = createFile();
    writeEnvBlock(path, given);
    const script = 'process.stdout.write(JSON.stringify(process.env))';
    const output = execFileSync(process.execPath, [`--env-file=${path}`, '-e', script]);
    expect(JSON.parse(String(output))).toMatchObject(given);
    expect(loadEnv('development', join(path, '..'), 'RAMP_')).toEqual(given);
  });
});

describe('isTrackable', () => {
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
  const createRepository = () => {
    const folder = createFolder();
    git(folder, 'init');
    writeFileSync(join(folder, '.env'), '');
    return folder;
  };

  it('is true for a file that Git does not ignore', async () => {
    const folder = createRepository();
    expect(await isTrackable(join(folder, '.env'))).toBe(true);
    writeFileSync(join(folder, '.gitignore'), '.env\n');
    expect(await isTrackable(join(folder, '.env'))).toBe(false);
  });

  it('is true for a file that the repository has, although it is ignored', async () => {
    const folder = createRepository();
    git(folder, 'add', '.env');
    writeFileSync(join(folder, '.gitignore'), '.env\n');
    expect(await isTrackable(join(folder, '.env'))).toBe(true);
  });

  it('is false outside a repository, and without Git', async () => {
    const folder = createFolder();
    expect(await isTrackable(join(folder, '.env'))).toBe(false);
    mkdirSync(join(folder, 'bin'));
    const repository = createRepository();
    vi.stubEnv('PATH', join(folder, 'bin'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await isTrackable(join(repository, '.env'))).toBe(false);
  });
});
