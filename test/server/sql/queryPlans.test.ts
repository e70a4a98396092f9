import { DatabaseSync } from '@photostructure/sqlite';
import { type CompiledQuery, Kysely } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { OrderRecord } from '../../../src/server/index.js';
import { type SqlOrderStore, sqliteDialect, sqlOrderStore } from '../../../src/server/sql/index.js';
import { createSqliteDatabase } from '../../support/database/sqlDatabases.js';
import { handleChanges } from '../../support/server/handleChanges.js';
import { baseTime, nftCheckout, nftOrder } from '../../support/server/orderFixtures.js';
import { purgeBefore } from '../../support/server/purgeBefore.js';

let store: SqlOrderStore;
let explainer: Kysely<unknown>;
let logged: CompiledQuery[] = [];

beforeAll(async () => {
  const { target, connect } = await createSqliteDatabase();
  const dialect = sqliteDialect(new DatabaseSync(target));
  const kysely = new Kysely<unknown>({ dialect, log: ({ query }) => void logged.push(query) });
  store = sqlOrderStore(kysely);
  await store.saveCheckout(nftCheckout());
  // Explain on another connection, so that `logged` has only the statements of the store.
  explainer = connect();
  return () => kysely.destroy();
});
beforeEach(() => {
  logged = [];
});

/** Returns the query plans of SQLite for the logged statements. */
async function plans(): Promise<string[]> {
  const steps: string[] = [];
  for (const query of logged.filter(({ sql }) => /^(select|update|delete|insert)/.test(sql))) {
    const explain = { ...query, sql: `explain query plan ${query.sql}` };
    const { rows } = await explainer.executeQuery<{ detail: string }>(explain);
    steps.push(...rows.map(({ detail }) => detail));
  }
  return steps;
}

const before: OrderRecord = {
  matchStatus: 'unmatched',
  order: nftOrder(),
  firstSeenAt: baseTime,
  changedAt: baseTime,
};

const calls: Record<string, () => Promise<unknown>> = {
  findCheckout: () => store.findCheckout('r1'),
  listCheckouts: () => store.listCheckouts({ subject: 'u1', limit: 10 }),
  'listCheckouts, later page': () =>
    store.listCheckouts({
      subject: 'u1',
      before: { createdAt: baseTime, reference: 'r2' },
      limit: 10,
    }),
  'listCheckouts, the poll of a page': () =>
    store.listCheckouts({ subject: 'u1', references: ['r1', 'r2'], limit: 21 }),
  'listCheckouts, named ones of any subject': () =>
    store.listCheckouts({ references: ['r1', 'r2'], limit: 0 }),
  recordOrders: () => store.recordOrders([nftOrder('finished')], baseTime),
  markOpened: () => store.markOpened('r1', baseTime),
  listAnnouncedOrders: () => store.listAnnouncedOrders(baseTime, 10),
  markUnconfirmed: () => store.markUnconfirmed(['r1', 'r2']),
  expireCheckouts: () => store.expireCheckouts(baseTime),
  findWork: () => store.findWork({ announcedSince: baseTime, unsettledSince: baseTime }),
  listPendingChanges: () => store.listPendingChanges(baseTime, 10),
  handleChange: async () => {
    await store.recordOrders([nftOrder('finished', { orderId: 'o2' })], baseTime);
    const [change] = await store.listUndelivered({ orderIds: ['o2'], limit: 1 });
    if (!change) throw new Error('The change is missing.');
    logged = [];
    await store.handleChange(change, async () => ({ deliveredAt: baseTime }));
  },
  postponeChange: () => store.postponeChange('o1:finished', baseTime),
  claimReplay: () => store.claimReplay('h', baseTime, baseTime, 'r1'),
  listOrders: () => store.listOrders({ limit: 10, before }),
  'listOrders, quarantined': () =>
    store.listOrders({ limit: 10, before, matchStatus: 'quarantined' }),
  purge: () => purgeBefore(store, baseTime),
  eraseSubject: async () => {
    await store.recordOrders([nftOrder('settled')], baseTime);
    await handleChanges(store, await store.listPendingChanges(baseTime, 10));
    logged = [];
    await store.eraseSubject('u1');
  },
  search: () => store.search({ text: 'r1', limit: 10 }),
  listUnpaidCheckouts: () =>
    store.listUnpaidCheckouts({
      after: { createdAt: baseTime - 9, reference: 'r1' },
      before: baseTime,
      limit: 10,
    }),
  listUndelivered: () => store.listUndelivered({ limit: 10 }),
  retryUndelivered: () => store.retryUndelivered(['o1', 'o2']),
  resolveOrder: () => store.resolveOrder('o1', 'closed'),
};

it.each(Object.entries(calls))('%s uses an index and does not sort', async (name, run) => {
  await run();
  expect(logged).not.toEqual([]);
  const steps = await plans();
  // `ramp_state` has a single row.
  const scans = steps.filter((step) => /^SCAN ramp_(?!state)/.test(step));
  expect(scans).toEqual([]);
  // A search for a minimum or maximum without an index reads the whole table, unless it is for the newest id.
  const walks = steps.filter((step) => /^SEARCH \S+$/.test(step));
  expect(walks).toEqual(name === 'findWork' ? ['SEARCH checkout'] : []);
  // A list sorts its page once more, after it has joined the orders: at most 100 checkouts.
  const sorts = steps.filter((step) => /FOR .*ORDER BY/.test(step));
  expect(sorts.length).toBeLessThanOrEqual(name.startsWith('listCheckouts') ? 1 : 0);
});
