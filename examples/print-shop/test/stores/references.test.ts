import { afterEach, expect, it } from 'vitest';
import { createPostgresSchema } from '../../../../test/support/database/sqlDatabases.js';
import { type Shop, startShop } from '../support/startShop.js';

let shop: Shop | undefined;
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

it('the shop rejects references with NUL before they reach PostgreSQL', async () => {
  const { target } = await createPostgresSchema();
  shop = await startShop({ databaseUrl: target });
  const visitor = await shop.visit();
  await visitor.login();
  const statuses = [
    (await visitor.send('/api/orders?references=%00')).status,
    (await visitor.send('/api/operator/orders?changedAt=1&orderId=%00')).status,
    (await visitor.post('/api/operator/cases/%00/handled', {})).status,
    (await visitor.send('/api/ramp/checkouts/%00')).status,
  ];
  expect(statuses).toEqual([400, 400, 404, 404]);
  expect(shop.logs()).not.toContain('"level":50');
});
