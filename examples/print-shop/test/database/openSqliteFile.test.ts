import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startShop } from '../support/startShop.js';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('openSqliteFile', () => {
  it('creates the file and its folder for the current user only, with any umask', async () => {
    const umask = process.umask(0o000);
    const shop = await startShop().finally(() => process.umask(umask));
    const folder = dirname(shop.databaseFile);
    const files = readdirSync(folder);
    const modes = files.map((file) => modeOf(join(folder, file)));
    expect(files.length).toBeGreaterThan(1);
    expect(new Set(modes)).toEqual(new Set(['600']));
    expect(modeOf(folder)).toBe('700');
    await shop.close();
  });

  it('keeps the mode of an existing file', async () => {
    const first = await startShop();
    const databaseFile = join(dirname(first.databaseFile), 'shared.db');
    writeFileSync(databaseFile, '');
    chmodSync(databaseFile, 0o660);
    const second = await startShop({ databaseFile });
    expect(modeOf(databaseFile)).toBe('660');
    await second.close();
    await first.close();
  });
});
