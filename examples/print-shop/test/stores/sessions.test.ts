import { beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database/sqlDatabases.js';
import { endedSessions } from '../../src/session/createShopSessions.js';
import { at, databases, type Instance, openInstance } from '../support/openInstance.js';

const session = (id: string, expiresAt: number) =>
  ({ id, visitor: 'v', account: 'a', expiresAt }) as const;

describe.each(databases)('Signed-out sessions on %s', (name, empty) => {
  let target: TestDatabase;
  let shop: Instance;
  beforeEach(async () => {
    target = await empty();
    shop = await openInstance(target);
  });
  const on = ({ database, clock }: Instance) => endedSessions(database, () => clock.at);

  it('are invalid on every instance, even if they are signed out repeatedly', async () => {
    const other = name === 'SQLite' ? shop : await openInstance(target);
    await Promise.all([on(shop), on(other)].map((ended) => ended.add(session('s1', at + 60))));
    expect(await on(other).findEnded(['s1', 's2'])).toEqual(new Set(['s1']));
    expect(await on(shop).findEnded([])).toEqual(new Set());
  });

  it('are kept until their cookies expire', async () => {
    await on(shop).add(session('s1', at + 60));
    shop.clock.at += 59;
    await on(shop).add(session('s2', at + 120));
    expect(await on(shop).findEnded(['s1', 's2'])).toEqual(new Set(['s1', 's2']));
    shop.clock.at += 1;
    await on(shop).add(session('s3', at + 120));
    expect(await on(shop).findEnded(['s1', 's2', 's3'])).toEqual(new Set(['s2', 's3']));
  });
});
