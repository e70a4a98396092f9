import { expect, it, vi } from 'vitest';
import { createPostgresSchema } from '../../../../test/support/database/sqlDatabases.js';
import { tcpProxy } from '../../../../test/support/database/tcpProxy.js';
import { startShop } from '../support/startShop.js';

it('returns 503 for /ready while PostgreSQL is unreachable, and 200 afterwards', async () => {
  const { target } = await createPostgresSchema();
  const proxy = await tcpProxy(target);
  const shop = await startShop({ databaseUrl: proxy.url });
  const statuses = () =>
    Promise.all(['/health', '/ready'].map(async (path) => (await fetch(shop.url + path)).status));
  expect(await statuses()).toEqual([200, 200]);
  await proxy.stop();
  expect(await statuses()).toEqual([200, 503]);
  await proxy.restart();
  await vi.waitFor(async () => expect(await statuses()).toEqual([200, 200]), 20_000);
  await shop.close();
  await proxy.close();
});
