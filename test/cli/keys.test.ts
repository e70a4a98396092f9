import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keys } from '../../src/cli/keys.js';
import { runCli } from '../../src/cli/runCli.js';
import { signRsaSha256, verifyRsaSha256 } from '../../src/server/index.js';
import { fakeCommandIo } from './fakeCommandIo.js';

const commands = { keys: async () => keys };
const createFolder = () => mkdtempSync(join(tmpdir(), 'partner-ramp-keys-'));
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

it('writes a key pair and a SecretKey that only their owner can read', async () => {
  const folder = createFolder();
  const io = fakeCommandIo();
  expect(await runCli(commands, ['keys', '--out', folder], io)).toBe(0);
  expect(readdirSync(folder).sort()).toEqual([
    'api-private-key.pem',
    'api-public-key.pem',
    'secret-key.txt',
  ]);
  for (const name of readdirSync(folder))
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(read(folder, 'secret-key.txt')).toMatch(/^[A-Za-z0-9]{32}$/);
  const signature = signRsaSha256('text', read(folder, 'api-private-key.pem'));
  const publicKey = createPublicKey(read(folder, 'api-public-key.pem'));
  expect(verifyRsaSha256('text', signature, publicKey)).toBe(true);
});

it('prints no key', async () => {
  const folder = createFolder();
  const io = fakeCommandIo();
  await runCli(commands, ['keys', '--out', folder], io);
  expect(io.output()).not.toContain(read(folder, 'secret-key.txt'));
  expect(io.output()).not.toContain('PRIVATE KEY');
});

it('overwrites no file, and leaves no part of the others', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'secret-key.txt'), 'mine');
  const io = fakeCommandIo();
  expect(await runCli(commands, ['keys', '--out', folder], io)).toBe(2);
  expect(io.output()).toContain('secret-key.txt exists, and keys are never overwritten.');
  expect(readdirSync(folder)).toEqual(['secret-key.txt']);
  expect(read(folder, 'secret-key.txt')).toBe('mine');
});

it('names a folder that does not exist', async () => {
  const io = fakeCommandIo();
  const folder = join(createFolder(), 'missing');
  expect(await runCli(commands, ['keys', '--out', folder], io)).toBe(2);
  expect(io.output()).toContain(`The folder ${folder} does not exist.`);
});
