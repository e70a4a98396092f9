import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import {
  memoryOrderStore,
  type OrderStore,
  type RampOptions,
  type Shopper,
} from '../../src/server/index.js';
import { sqlOrderStore } from '../../src/server/sql/index.js';
import { createTestBackend } from '../../src/testing/index.js';
import { createSqliteDatabase } from '../support/database/sqlDatabases.js';
import { root } from '../support/root.js';
import { mintListing } from '../support/sandbox/nftListings.js';
import { baseTime, onRampCheckout, onRampOrder } from '../support/server/orderFixtures.js';
import { withResolved } from '../support/server/withResolved.js';

/** The times of a new checkout, which the first sync of the test backend does not purge. */
const now = Math.floor(Date.now() / 1000);
const today = { createdAt: now, expiresAt: now + 86_400 };

type Sample = Pick<RampOptions, 'deliver'> & {
  readonly review: Exclude<RampOptions['review'], 'log'>;
};

/** What a sample has done: the delivered orders, and the reviewed ones with the reason. */
interface Done {
  readonly delivered: string[];
  readonly reviewed: string[];
}

interface Guide {
  readonly file: string;
  /** Matches the two functions: members of the options of `createRamp`, or functions of their own. */
  readonly pattern: RegExp;
  /** The tables of the sample. Without them, it prints what it does. */
  readonly tables?: { readonly purchases: string; readonly cases: string };
  /** The columns with the order ID of a purchase, and with the order ID or the key of a case. */
  readonly columns?: { readonly purchases: string; readonly cases: string };
}

const members = /\n {2}((?:async )?deliver[(:][\s\S]*?)\n\}\);/;

const guides: readonly Guide[] = [
  {
    file: 'docs/orders.md',
    pattern: /\n(export async function deliver\([\s\S]*?)```/,
    tables: {
      purchases: 'order_id text primary key, user_id text, amount text',
      cases: 'key text primary key, order_id text, user_id text, reason text',
    },
    columns: { purchases: 'order_id', cases: 'order_id' },
  },
  {
    file: 'docs/backend.md',
    pattern: members,
    tables: {
      purchases: 'order_id text primary key, user_id text',
      cases: 'key text primary key, order_id text, reason text',
    },
    columns: { purchases: 'order_id', cases: 'order_id' },
  },
  {
    file: 'docs/nextjs.md',
    pattern: /\n {4}(async deliver\([\s\S]*?)\n {4}onError/,
    tables: {
      purchases: 'order_id text primary key, user_id text',
      cases: 'key text primary key, order_id text, reason text',
    },
    columns: { purchases: 'order_id', cases: 'order_id' },
  },
  { file: 'docs/getting-started.md', pattern: members },
];

async function readSample({ file, pattern }: Guide, print: (line: string) => void) {
  const [, code = ''] = pattern.exec(await readFile(join(root, file), 'utf8')) ?? [];
  const isMember = !code.startsWith('export');
  const source = isMember ? `const sample = {${code}};` : code.replaceAll('export ', '');
  const { code: script } = await transformWithOxc(source, 'sample.ts');
  const result = isMember ? 'sample' : '{ deliver, review }';
  const create = new Function('console', `${script}\nreturn ${result};`);
  return create({ log: print, error: print }) as Sample;
}

/** Opens the database of a sample, and returns its store and what the sample has written. */
async function openTables({ tables, columns }: Required<Guide>) {
  const kysely = (await createSqliteDatabase()).connect();
  for (const [name, definition] of Object.entries(tables))
    await sql.raw(`create table ${name} (${definition})`).execute(kysely);
  return {
    store: sqlOrderStore(kysely) as OrderStore,
    async readDone(): Promise<Done> {
      const purchases = await readColumns(kysely, `${columns.purchases} as id from purchases`);
      const cases = await readColumns(kysely, `${columns.cases} as id, reason from cases`);
      return {
        delivered: purchases.map(({ id }) => id),
        // A case without a column for the order ID has it in its key.
        reviewed: cases.map(({ id, reason }) => `${id.split(':')[0]} ${reason}`),
      };
    },
  };
}

async function readColumns(kysely: Kysely<unknown>, columns: string) {
  const { rows } = await sql.raw(`select ${columns}`).execute(kysely);
  return rows as { id: string; reason: string }[];
}

/** Returns a memory store, and what the sample has printed. */
function openLog(lines: readonly string[]) {
  const find = (pattern: RegExp) =>
    lines.flatMap((line) => pattern.exec(line)?.slice(1).join(' ') ?? []);
  return {
    store: memoryOrderStore() as OrderStore,
    readDone: async (): Promise<Done> => ({
      delivered: find(/^Deliver order (\S+) to \S+$/),
      reviewed: find(/^Review order (\S+): (\S+)$/),
    }),
  };
}

test.each(guides)(
  'the sample of $file delivers what matches, and lets a person see the rest',
  async (guide) => {
    const lines: string[] = [];
    const { deliver, review } = await readSample(guide, (line) => lines.push(line));
    const { tables, columns } = guide;
    const resolved = new Set<string>();
    const { store: plain, readDone } =
      tables && columns ? await openTables({ ...guide, tables, columns }) : openLog(lines);
    const store = withResolved(plain, resolved);
    const errors: unknown[] = [];
    const backend = createTestBackend({
      store,
      deliver,
      review,
      onError: (error) => errors.push(error),
    });
    const list = async (...orders: ReturnType<typeof onRampOrder>[]) => {
      await store.recordOrders(orders, baseTime);
      await backend.sync();
    };
    for (const reference of ['once', 'twice', 'wrong', 'unknown', 'undone'])
      await store.saveCheckout(onRampCheckout({ reference, ...today }));
    await list(
      onRampOrder({ orderId: 'once', ext: 'once' }),
      onRampOrder({ orderId: 'first', ext: 'twice' }),
      onRampOrder({ orderId: 'second', ext: 'twice' }),
      onRampOrder({ orderId: 'wrong', ext: 'wrong', walletAddress: '0xdead' }),
      onRampOrder({ orderId: 'unknown', ext: 'unknown', state: 'unknown', orderStatus: 99 }),
      onRampOrder({ orderId: 'undone', ext: 'undone' }),
      onRampOrder({ orderId: 'foreign', ext: 'invoice-7' }),
      onRampOrder({ orderId: 'lost', ext: 'lost' }),
      onRampOrder({ orderId: 'by-hand', ext: 'by-hand' }),
    );
    // Two lost checkouts are back. Somebody has paid back the order of one of them.
    for (const reference of ['lost', 'by-hand'])
      await store.saveCheckout(onRampCheckout({ reference, ...today }));
    resolved.add('by-hand');
    await list(
      onRampOrder({ orderId: 'unknown', ext: 'unknown' }),
      onRampOrder({ orderId: 'undone', ext: 'undone', state: 'unknown', orderStatus: 99 }),
      onRampOrder({ orderId: 'lost', ext: 'lost' }),
      onRampOrder({ orderId: 'by-hand', ext: 'by-hand' }),
    );
    await backend.close();
    expect(errors).toEqual([]);
    const { delivered, reviewed } = await readDone();
    expect(delivered.sort()).toEqual(['first', 'lost', 'once', 'undone', 'unknown']);
    expect(reviewed.sort()).toEqual([
      'by-hand no-checkout',
      'foreign no-checkout',
      'lost no-checkout',
      'second second-order',
      'undone status-after-end',
      'unknown unknown-status',
      'wrong wallet',
    ]);
  },
);

const folder = join(root, 'test/.output/guide-outcomes');

/** Runs the only block of a guide that contains a text, with the sources in place of the package. */
async function runBlock<Exports>(guide: string, text: string): Promise<Exports> {
  const page = await readFile(join(root, guide), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const [block, ...others] = blocks.filter((code) => code.includes(text));
  if (!block || others.length > 0) throw new Error(`${guide} needs one block with ${text}.`);
  const file = join(folder, `${guide.replace(/\W/g, '-')}.ts`);
  await mkdir(folder, { recursive: true });
  const entry = /'@partner-ramp\/react\/(server\/sql|server|testing)'/g;
  await writeFile(file, block.replace(entry, `'../../../src/$1/index.js'`));
  return import(/* @vite-ignore */ file);
}

test('the sample of docs/orders.md sells an item once, and its second buyer is paid back', async () => {
  const { deliver } = await runBlock<Pick<Sample, 'deliver'>>('docs/orders.md', "'already-sold'");
  const kysely = (await createSqliteDatabase()).connect();
  const cases = 'key text primary key, order_id text, user_id text, reason text';
  await sql.raw('create table sales (item_id text primary key, order_id text)').execute(kysely);
  await sql.raw(`create table cases (${cases})`).execute(kysely);
  const store = sqlOrderStore(kysely);
  const backend = createTestBackend<Shopper, Shopper, Kysely<unknown>>({
    ...{ store, deliver, getShopper: ({ context }) => context, context: { id: 'ann' } },
    policy({ widget, proposal }) {
      const merchantUniqueId = widget === 'nft' ? proposal.merchantUniqueId : undefined;
      return { params: { ...mintListing, merchantUniqueId: merchantUniqueId ?? '' } };
    },
  });
  const buy = async (id: string, item: string) => {
    const params = { merchantUniqueId: item };
    const shopper = backend.as({ id });
    const { reference } = await shopper.openCheckout({ widget: 'nft', params });
    await backend.pay(reference);
    await backend.finishOrder();
    const path = `/api/ramp/checkouts/${reference}`;
    return async () => (await shopper.fetch(path)).json();
  };
  await buy('ann', 'print-7');
  const readStatus = await buy('bob', 'print-7');
  await buy('bob', 'print-8');
  expect(await readColumns(kysely, 'item_id as id, null as reason from sales')).toEqual([
    { id: 'print-7', reason: null },
    { id: 'print-8', reason: null },
  ]);
  const [, second] = backend.deliveries;
  const orderId = second?.orderId ?? '';
  expect(await readColumns(kysely, 'order_id as id, reason from cases')).toEqual([
    { id: orderId, reason: 'already-sold' },
  ]);
  expect(await readStatus()).not.toHaveProperty('resolution');
  const refund = (seen: { isDelivered?: boolean }) =>
    store.resolveOrder(orderId, 'refunded', { onlyIf: { resolution: undefined, ...seen } });
  expect(await refund({ isDelivered: false })).toMatchObject({ isRecorded: false });
  expect(await refund({})).toMatchObject({ isRecorded: true });
  expect(await readStatus()).toMatchObject({ resolution: 'refunded' });
  await backend.close();
});

// The test of docs/testing.md that needs a database. The other tests of that page run in test/consumers/runners.
await runBlock('docs/testing.md', '@photostructure/sqlite');
