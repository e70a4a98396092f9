import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_ORDERS, type OrderEntry } from '../../../src/sandbox/orders.js';
import {
  openSandboxState,
  type SandboxState,
} from '../../../src/sandbox/state/openSandboxState.js';
import { sandboxOnRampOrder } from '../../support/sandbox/sandboxOrderFixtures.js';

const keys = {
  partnerId: 'a-partner',
  secretKey: 'a-secret',
  apiPrivateKey: 'a-key',
  webhookPrivateKey: 'another-key',
  seed: 'a-seed',
};
const createFolder = () => mkdtempSync(join(tmpdir(), 'partner-ramp-state-'));
const createEntry = (number: number): OrderEntry => ({
  number,
  order: sandboxOnRampOrder(`order-${number}`),
  terms: '{}',
  paidAtMs: 0,
  hidesWallet: false,
});
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const refusal = (text: string) =>
  expect.objectContaining({
    code: 'ERR_CONFIG_INVALID',
    message: expect.stringContaining(text),
  });

/** Creates a state with keys and these orders. Returns its folder. */
function createState(...numbers: number[]): string {
  const folder = join(createFolder(), 'state');
  const state = openSandboxState(folder);
  state.saveKeys(keys);
  for (const number of numbers) state.journal.append(createEntry(number));
  state.close();
  return folder;
}
/** Opens the state for one use, as a sandbox that is stopped afterwards. */
function withState<T>(folder: string, use: (state: SandboxState) => T): T {
  const state = openSandboxState(folder);
  try {
    return use(state);
  } finally {
    state.close();
  }
}
const readNumbers = (folder: string) =>
  withState(folder, ({ journal }) => journal.entries.map(({ number }) => number));

describe('openSandboxState', () => {
  it('creates the folder, and finds in it what was saved', () => {
    const folder = createState(1, 2);
    const { keys: found, journal } = openSandboxState(folder);
    expect(found).toEqual(keys);
    expect(journal.entries).toEqual([createEntry(1), createEntry(2)]);
  });

  it.skipIf(process.platform === 'win32')(
    'lets only the owner read the folder and its files',
    () => {
      const folder = createState(1);
      chmodSync(folder, 0o755);
      withState(folder, () =>
        expect(
          [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(modeOf),
        ).toEqual(['700', '600', '600', '600']),
      );
    },
  );

  it('loses no order before one that was cut off at any byte', () => {
    const folder = createState(1, 2);
    const path = join(folder, 'orders.jsonl');
    const whole = readFileSync(path);
    const first = whole.indexOf('\n') + 1;
    for (const length of [first, first + 1, whole.length - 20, whole.length - 1, whole.length]) {
      writeFileSync(path, whole);
      truncateSync(path, length);
      expect(readNumbers(folder)).toEqual(length === whole.length ? [1, 2] : [1]);
      withState(folder, ({ journal }) => journal.append(createEntry(3)));
      expect(readNumbers(folder)).toEqual(length === whole.length ? [1, 2, 3] : [1, 3]);
      expect(readdirSync(folder).sort()).toEqual(['keys.json', 'orders.jsonl']);
    }
  });

  it('keeps as many orders as a sandbox does', () => {
    const folder = createState();
    const path = join(folder, 'orders.jsonl');
    const lines = Array.from({ length: MAX_ORDERS + 3 }, (_, at) => createEntry(at + 1));
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(readNumbers(folder)[0]).toBe(4);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(MAX_ORDERS + 1);
  });

  it('names a damaged line and a damaged file of keys, without their content', () => {
    const folder = createState(1, 2);
    const orders = join(folder, 'orders.jsonl');
    writeFileSync(orders, readFileSync(orders, 'utf8').replace('{', '!'));
    expect(() => openSandboxState(folder)).toThrow(refusal('line 1 of'));
    writeFileSync(join(folder, 'keys.json'), '{"secretKey":"a-secret"');
    const error = (() => {
      try {
        return openSandboxState(folder);
      } catch (thrown) {
        return thrown as Error;
      }
    })();
    expect(error).toEqual(refusal('keys.json is damaged'));
    expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain('a-secret');
  });

  it('lets one sandbox of this process use the folder at a time', () => {
    const folder = createState(1);
    withState(folder, () => {
      expect(() => openSandboxState(folder)).toThrow(
        refusal(`in use by the sandbox of process ${process.pid}`),
      );
    });
    expect(readNumbers(folder)).toEqual([1]);
  });

  it('opens a copy of a folder in use', () => {
    const folder = createState(1);
    withState(folder, () => {
      const copy = join(createFolder(), 'copy');
      cpSync(folder, copy, { recursive: true });
      expect(readNumbers(copy)).toEqual([1]);
      expect(() => openSandboxState(folder)).toThrow(refusal('in use'));
    });
  });

  it('ignores a lock of the same process ID from before a restart of the container', () => {
    const folder = createState(1);
    const { ino } = statSync(folder);
    writeFileSync(join(folder, `sandbox.${process.pid}-1764130000000-${ino}.lock`), '');
    expect(readNumbers(folder)).toEqual([1]);
    expect(readdirSync(folder).sort()).toEqual(['keys.json', 'orders.jsonl']);
  });

  it('opens a new folder whose first sandbox was killed before it had keys', () => {
    const folder = createFolder();
    const { ino } = statSync(folder);
    writeFileSync(join(folder, `sandbox.${process.pid}-1764130000000-${ino}.lock`), '');
    expect(readNumbers(folder)).toEqual([]);
  });

  it('unlocks a folder that it cannot read', () => {
    const folder = createState(1);
    writeFileSync(join(folder, 'keys.json'), '{');
    for (let i = 0; i < 2; i++)
      expect(() => openSandboxState(folder)).toThrow(refusal('keys.json is damaged'));
    expect(readdirSync(folder).sort()).toEqual(['keys.json', 'orders.jsonl']);
  });

  it('leaves the folder of others as it is', () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'photo.png'), '');
    chmodSync(folder, 0o755);
    expect(() => openSandboxState(folder)).toThrow(refusal('contains other files'));
    expect(readdirSync(folder)).toEqual(['photo.png']);
    expect(modeOf(folder)).toBe('755');
  });

  it('refuses a file and a symbolic link', () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
    expect(() => openSandboxState(join(folder, 'file'))).toThrow(refusal('EEXIST'));
    expect(() => openSandboxState(join(folder, 'link'))).toThrow(refusal('is not a folder'));
  });
});
