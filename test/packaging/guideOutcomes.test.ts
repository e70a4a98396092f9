import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryOrderStore, type PendingChange } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import { sql } from 'kysely';
import { transformWithOxc } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { createSqliteDatabase } from '../support/database/sqlDatabases.js';
import { root } from '../support/root.js';
import { baseTime, onRampIntent, onRampOrder } from '../support/server/orderFixtures.js';

let changes: readonly PendingChange[];

/** Lets a store record an order of each outcome, and lists the changes that the shop gets. */
beforeAll(async () => {
  const store = memoryOrderStore();
  for (const reference of ['once', 'twice', 'wrong', 'unknown', 'undone'])
    await store.saveIntent(onRampIntent({ reference }));
  const orders = [
    onRampOrder({ orderId: 'once', ext: 'once' }),
    onRampOrder({ orderId: 'first', ext: 'twice' }),
    onRampOrder({ orderId: 'second', ext: 'twice' }),
    onRampOrder({ orderId: 'wrong', ext: 'wrong', walletAddress: '0xdead' }),
    onRampOrder({ orderId: 'unknown', ext: 'unknown', state: 'unknown', orderStatus: 99 }),
    onRampOrder({ orderId: 'undone', ext: 'undone' }),
    onRampOrder({ orderId: 'foreign', ext: 'invoice-7' }),
    onRampOrder({ orderId: 'lost', ext: 'lost' }),
    onRampOrder({ orderId: 'by-hand', ext: 'by-hand' }),
  ];
  await store.recordOrders(orders, baseTime);
  const earlier = await store.listPendingChanges(baseTime, 99);
  for (const { key } of earlier) await store.acknowledgeChanges([key]);
  for (const reference of ['lost', 'by-hand']) await store.saveIntent(onRampIntent({ reference }));
  await store.resolveOrder('by-hand', 'refunded', baseTime);
  const undone = onRampOrder({ orderId: 'undone', state: 'unknown', orderStatus: 99 });
  await store.recordOrders([...orders, undone], baseTime + 1);
  changes = [...earlier, ...(await store.listPendingChanges(baseTime + 1, 99))];
});

const delivered: string[] = [];
const reviewed: string[] = [];
const deliver = (orderId: string) => void delivered.push(orderId);
const review = (orderId: string) => void reviewed.push(orderId);
const getOrderId = (text: string) => /order (\S+?):? /i.exec(`${text} `)?.[1] ?? text;

/** What the samples expect of the reader: the functions that deliver and open a case. */
const given = {
  bookOnce: async (orderId: string) => deliver(orderId),
  bookOrder: async (_: unknown, { record }: PendingChange) => deliver(record.order.orderId),
  openCase: async (...args: [string] | [unknown, PendingChange]) =>
    review(args[0] === `${args[0]}` ? args[0] : (args[1] as PendingChange).record.order.orderId),
  console: {
    log: (text: string) => deliver(getOrderId(text)),
    error: (text: string) => review(getOrderId(text)),
  },
  withTransaction,
};

test.each([
  ['docs/orders.md', /\n(export const onOrderChange[\s\S]*?)```/],
  ['docs/backend.md', /\n {2}((?:async )?onOrderChange\([\s\S]*?\n {2}\}),\n/],
  ['docs/getting-started.md', /\n {2}((?:async )?onOrderChange\([\s\S]*?\n {2}\}),\n/],
])(
  'the sample of %s delivers what is matched, and shows the rest to the staff',
  async (file, pattern) => {
    const [, code = ''] = pattern.exec(await readFile(join(root, file), 'utf8')) ?? [];
    const isMethod = !code.startsWith('export');
    const source = isMethod
      ? `const { onOrderChange } = { ${code} };`
      : code.replace('export ', '');
    const { code: script } = await transformWithOxc(source, 'sample.ts');
    const kysely = (await createSqliteDatabase()).connect();
    await sql`create table handled_changes (key text primary key)`.execute(kysely);
    const names = { ...given, kysely };
    const create = new Function(...Object.keys(names), `${script}\nreturn onOrderChange;`);
    const onOrderChange = create(...Object.values(names));
    delivered.length = 0;
    reviewed.length = 0;
    for (const change of [...changes, ...changes]) await onOrderChange(change);
    const unique = (ids: readonly string[]) => [...new Set(ids)].sort();
    // The getting-started guide has no staff, and so no resolution.
    const withoutResolution = file.includes('getting-started') ? ['by-hand'] : [];
    expect(unique(delivered)).toEqual([...withoutResolution, 'first', 'lost', 'once', 'undone']);
    expect(unique(reviewed)).toEqual([
      'by-hand',
      'foreign',
      'lost',
      'second',
      'undone',
      'unknown',
      'wrong',
    ]);
    // The guide "Orders" keeps the keys of the changes, so that a repeated call does nothing.
    if (file === 'docs/orders.md') expect(delivered).toHaveLength(4);
  },
);
