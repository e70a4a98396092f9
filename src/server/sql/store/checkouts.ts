import { type ExpressionBuilder, sql } from 'kysely';
import type { OrderRecord } from '../../orders/store/OrderRecord.js';
import type {
  Checkout,
  CheckoutOutcome,
  CheckoutRecord,
  CheckoutsQuery,
  CheckoutsResult,
  OrderStore,
} from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection, SqlDatabase } from '../SqlDatabase.js';
import { type Tables, toKey } from '../schema.js';
import { executeWrite, withWriteLock } from '../transactions/withTransaction.js';

/** How many checkouts expire in one transaction. The number is low, because other transactions have to wait. */
const BATCH = 500;

type CheckoutMethods = Pick<
  OrderStore,
  | 'saveCheckout'
  | 'findCheckout'
  | 'listCheckouts'
  | 'markOpened'
  | 'listAnnouncedOrders'
  | 'markUnconfirmed'
  | 'expireCheckouts'
>;

export const checkouts = (open: OpenDatabase): CheckoutMethods => ({
  async saveCheckout(checkout) {
    const { merchantOrderNo } = checkout.params;
    const row = {
      reference: toKey(checkout.reference),
      merchant_order_no: merchantOrderNo ? toKey(merchantOrderNo) : null,
      expires_at: checkout.expiresAt,
      open_until: checkout.expiresAt,
      terms: JSON.stringify(checkout),
      subject: toKey(checkout.subject),
      created_at: checkout.createdAt,
    };
    const saved = await executeWrite(await open(), (db) =>
      db
        .insertInto('ramp_checkouts')
        .values(row)
        .onConflict((conflict) => conflict.column('reference').doNothing())
        .returning('id'),
    );
    if (saved.length === 0) throw new Error('This checkout reference is taken.');
  },
  async findCheckout(reference, { subject } = {}) {
    const query = { subject, references: [reference], limit: 0 };
    return (await readCheckouts(await open(), query)).named[0];
  },
  async listCheckouts(query) {
    return readCheckouts(await open(), query);
  },
  async markOpened(reference, at) {
    await executeWrite(await open(), (db) =>
      db
        .updateTable('ramp_checkouts')
        .set({ opened_at: at })
        .where('reference', '=', toKey(reference))
        .where('opened_at', 'is', null),
    );
  },
  async listAnnouncedOrders(since, limit) {
    const { db } = await open();
    const rows = await selectAnnounced(db, since)
      .where('outcome', 'is', null)
      .orderBy('announced_at')
      .limit(limit)
      .execute();
    return rows.map(({ terms }) => (JSON.parse(terms) as Checkout).reference);
  },
  async markUnconfirmed(references) {
    if (references.length === 0) return;
    // An order may be matched at the same time, so take the same lock as `recordOrders`.
    await withWriteLock(await open(), (db) =>
      db
        .updateTable('ramp_checkouts')
        .set({ outcome: 'unconfirmed' satisfies CheckoutOutcome })
        .where('reference', 'in', references.map(toKey))
        .where('outcome', 'is', null)
        .where('matched_order_id', 'is', null)
        .execute(),
    );
  },
  async expireCheckouts(now) {
    const database = await open();
    let total = 0;
    for (;;) {
      const { numUpdatedRows } = await withWriteLock(database, (db) =>
        db
          .updateTable('ramp_checkouts')
          .set({ outcome: 'expired' satisfies CheckoutOutcome, open_until: null })
          .where('id', 'in', (expired) =>
            expired
              .selectFrom('ramp_checkouts')
              .select('id')
              .where('open_until', '<=', now)
              .orderBy('open_until')
              .limit(BATCH),
          )
          .executeTakeFirstOrThrow(),
      );
      total += Number(numUpdatedRows);
      if (numUpdatedRows < BATCH) return total;
    }
  },
});

export const selectCheckouts = (db: SqlConnection) =>
  db
    .selectFrom('ramp_checkouts')
    .select(['reference', 'terms', 'outcome', 'opened_at', 'announced_at']);

type CheckoutRow = Awaited<ReturnType<ReturnType<typeof selectCheckouts>['execute']>>[number];

const toCheckoutRecord = (
  { reference, outcome, opened_at, announced_at }: CheckoutRow,
  checkout: Checkout,
  orders: CheckoutOrders,
): CheckoutRecord => ({
  ...checkout,
  ...(outcome !== null && { outcome: outcome as CheckoutOutcome }),
  ...(opened_at !== null && { openedAt: Number(opened_at) }),
  ...(announced_at !== null && { announcedAt: Number(announced_at) }),
  orders: orders.get(reference) ?? [],
});

export async function toCheckoutRecords(
  db: SqlConnection,
  rows: readonly CheckoutRow[],
): Promise<CheckoutRecord[]> {
  const orders = await readOrders(
    db,
    rows.map(({ reference }) => reference),
  );
  return rows.map((row) => toCheckoutRecord(row, JSON.parse(row.terms), orders));
}

/** Reads the newest and the named checkouts with their orders, in one statement. */
async function readCheckouts({ db }: SqlDatabase, query: CheckoutsQuery): Promise<CheckoutsResult> {
  const { subject, references = [], limit } = query;
  const parts = [
    ...(limit > 0 ? [selectNewest(db, query)] : []),
    ...(references.length > 0 ? [selectNamed(db, subject, references)] : []),
  ];
  const [first, second] = parts;
  if (!first) return { newest: [], named: [] };
  const rows = await db
    .selectFrom((second ? first.unionAll(second) : first).as('found'))
    .leftJoin('ramp_orders as order', 'order.reference', 'found.reference')
    .selectAll('found')
    .select('order.record')
    .orderBy('found.created_at', 'desc')
    .orderBy('found.reference', 'desc')
    .orderBy('order.id')
    .execute();
  const toRecords = (part: number) => {
    const found = new Map<string, (typeof rows)[number]>();
    const orders = new Map<string, OrderRecord[]>();
    for (const row of rows.filter(({ is_named }) => is_named === part)) {
      const { reference, record } = row;
      const known = orders.get(reference) ?? [];
      if (record !== null) known.push(JSON.parse(record));
      orders.set(reference, known);
      found.set(reference, row);
    }
    return [...found.values()]
      .map((row) => toCheckoutRecord(row, JSON.parse(row.terms), orders))
      .filter((checkout) => isOwn(checkout, subject));
  };
  return { newest: toRecords(0), named: toRecords(1) };
}

/** Compares the subject itself, not its key, because a subject may equal the key of another subject. */
const isOwn = (checkout: Checkout, subject: string | undefined): boolean =>
  subject === undefined || checkout.subject === subject;

function selectNewest(db: SqlConnection, { subject = '', before, limit }: CheckoutsQuery) {
  let opened = selectCheckouts(db)
    .select('created_at')
    .where('subject', '=', toKey(subject))
    .where('opened_at', 'is not', null);
  if (before) {
    const { createdAt, reference } = before;
    opened = opened.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'reference'), '<', tuple(createdAt, toKey(reference))),
    );
  }
  const newest = opened.orderBy('created_at', 'desc').orderBy('reference', 'desc').limit(limit);
  return db.selectFrom(newest.as('part')).selectAll().select(sql<number>`0`.as('is_named'));
}

function selectNamed(
  db: SqlConnection,
  subject: string | undefined,
  references: readonly string[],
) {
  const named = selectCheckouts(db)
    .select('created_at')
    .where('reference', 'in', references.map(toKey));
  const own = subject === undefined ? named : named.where('subject', '=', toKey(subject));
  return db.selectFrom(own.as('part')).selectAll().select(sql<number>`1`.as('is_named'));
}

/** The records of orders by the key of their checkout's reference, oldest first. */
type CheckoutOrders = ReadonlyMap<string | null, readonly OrderRecord[]>;

/** Reads the orders of several checkouts in one query. */
async function readOrders(db: SqlConnection, keys: readonly string[]): Promise<CheckoutOrders> {
  const orders = new Map<string | null, OrderRecord[]>();
  if (keys.length === 0) return orders;
  const rows = await db
    .selectFrom('ramp_orders')
    .select(['reference', 'record'])
    .where('reference', 'in', keys)
    .orderBy('reference')
    .orderBy('id')
    .execute();
  for (const { reference, record } of rows) {
    const known = orders.get(reference);
    if (known) known.push(JSON.parse(record));
    else orders.set(reference, [JSON.parse(record)]);
  }
  return orders;
}

const hasNoOrder = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'ramp_checkouts'>) =>
  not(
    exists(
      selectFrom('ramp_orders as order')
        .select('order.order_id')
        .whereRef('order.reference', '=', 'ramp_checkouts.reference'),
    ),
  );

/** Records the first announcement of an order, which also counts as opening the checkout. */
export const updateAnnounced = (db: SqlConnection, reference: string, at: number) =>
  db
    .updateTable('ramp_checkouts')
    .set({ announced_at: at, opened_at: sql<number>`coalesce(opened_at, ${at})` })
    .where('reference', '=', toKey(reference))
    .where('announced_at', 'is', null);

/** Selects the checkouts whose order was announced at or after `since` and is not recorded yet. */
export const selectAnnounced = (db: SqlConnection, since: number) =>
  db
    .selectFrom('ramp_checkouts')
    .select('terms')
    .where('announced_at', '>=', since)
    .where('matched_order_id', 'is', null)
    .where(hasNoOrder);
