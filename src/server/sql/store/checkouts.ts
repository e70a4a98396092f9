import { sql } from 'kysely';
import type {
  CheckoutIntent,
  CheckoutOutcome,
  CheckoutRecord,
  CheckoutStore,
} from '../../orders/store/OrderStore.js';
import { canAdvance } from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { toKey } from '../schema.js';
import { executeWrite, withWriteLock } from '../transactions/withTransaction.js';
import { appendEvents } from './orders.js';

/** How many checkouts expire in one transaction. It is limited, because other transactions wait meanwhile. */
const BATCH = 500;

export const checkouts = (open: OpenDatabase): CheckoutStore => ({
  async saveIntent(intent) {
    const { merchantOrderNo } = intent.params;
    const row = {
      reference: toKey(intent.reference),
      merchant_order_no: merchantOrderNo ? toKey(merchantOrderNo) : null,
      expires_at: intent.expiresAt,
      open_until: intent.expiresAt,
      intent: JSON.stringify(intent),
    };
    const saved = await executeWrite(await open(), (db) =>
      db
        .insertInto('ramp_intents')
        .values(row)
        .onConflict((conflict) => conflict.column('reference').doNothing())
        .returning('id'),
    );
    if (saved.length === 0) throw new Error('This checkout reference is taken.');
  },
  async findCheckout(reference, { subject } = {}) {
    const { db } = await open();
    const key = toKey(reference);
    const found = await db
      .selectFrom('ramp_intents')
      .select(['intent', 'outcome', 'opened_at', 'announced_at'])
      .where('reference', '=', key)
      .executeTakeFirst();
    if (!found) return undefined;
    const intent: CheckoutIntent = JSON.parse(found.intent);
    if (subject !== undefined && intent.subject !== subject) return undefined;
    const orders = db.selectFrom('ramp_orders').select('record').where('reference', '=', key);
    const records = await orders.orderBy('first_event_id').execute();
    const { outcome, opened_at, announced_at } = found;
    return {
      intent,
      ...(outcome !== null && { outcome: outcome as CheckoutOutcome }),
      ...(opened_at !== null && { openedAt: Number(opened_at) }),
      ...(announced_at !== null && { announcedAt: Number(announced_at) }),
      orders: records.map(({ record }) => JSON.parse(record)),
    } satisfies CheckoutRecord;
  },
  async markOpened(reference, at) {
    await executeWrite(await open(), (db) =>
      db
        .updateTable('ramp_intents')
        .set({ opened_at: at })
        .where('reference', '=', toKey(reference))
        .where('opened_at', 'is', null),
    );
  },
  async announceOrder(reference, at) {
    await executeWrite(await open(), (db) => updateAnnounced(db, reference, at));
  },
  async hasAnnouncedOrders(since) {
    const { db } = await open();
    return (await selectAnnounced(db, since).limit(1).execute()).length > 0;
  },
  async listAnnouncedOrders(since, limit) {
    const { db } = await open();
    const rows = await selectAnnounced(db, since)
      .where('intent.outcome', 'is', null)
      .orderBy('intent.announced_at')
      .limit(limit)
      .execute();
    return rows.map(({ intent }) => (JSON.parse(intent) as CheckoutIntent).reference);
  },
  async recordOutcome(reference, outcome, at) {
    await withWriteLock(await open(), async (db) => {
      const found = await selectOutcomes(db).where('reference', '=', toKey(reference)).execute();
      await recordOutcomes(db, found, outcome, at);
    });
  },
  async expireCheckouts(now) {
    const database = await open();
    let total = 0;
    for (;;) {
      const count = await withWriteLock(database, async (db) => {
        const expired = selectOutcomes(db)
          .where('open_until', '<=', now)
          .orderBy('open_until')
          .limit(BATCH);
        return recordOutcomes(db, await expired.execute(), 'expired', now);
      });
      total += count;
      if (count < BATCH) return total;
    }
  },
  async hasOpenCheckouts(now) {
    const { db } = await open();
    const openIntents = db.selectFrom('ramp_intents').select('id').where('open_until', '>', now);
    return (await openIntents.limit(1).execute()).length > 0;
  },
});

/** Records that an order was announced. The shopper has paid it, so the checkout also counts as opened. */
export const updateAnnounced = (db: SqlConnection, reference: string, at: number) =>
  db
    .updateTable('ramp_intents')
    .set({ announced_at: at, opened_at: sql<number>`coalesce(opened_at, ${at})` })
    .where('reference', '=', toKey(reference))
    .where('announced_at', 'is', null);

/** Selects the checkouts whose order was announced at or after `since` and is not recorded yet. */
const selectAnnounced = (db: SqlConnection, since: number) =>
  db
    .selectFrom('ramp_intents as intent')
    .select('intent.intent')
    .where('intent.announced_at', '>=', since)
    .where('intent.matched_order_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ramp_orders as order')
            .select('order.order_id')
            .whereRef('order.reference', '=', 'intent.reference'),
        ),
      ),
    );

const selectOutcomes = (db: SqlConnection) =>
  db.selectFrom('ramp_intents').select(['reference', 'outcome', 'matched_order_id']);

type OutcomeRows = Awaited<ReturnType<ReturnType<typeof selectOutcomes>['execute']>>;

/** Records the outcome for each checkout that can advance to it, and returns their number. */
async function recordOutcomes(
  db: SqlConnection,
  found: OutcomeRows,
  outcome: CheckoutOutcome,
  at: number,
): Promise<number> {
  const moving = found.filter((one) =>
    canAdvance(
      { outcome: one.outcome as CheckoutOutcome | null, isMatched: one.matched_order_id !== null },
      outcome,
    ),
  );
  if (moving.length === 0) return 0;
  const references = moving.map(({ reference }) => reference);
  await db
    .updateTable('ramp_intents')
    .set(
      outcome === 'expired'
        ? { outcome, open_until: null }
        : // An `unconfirmed` checkout has an announced order, so it was opened.
          { outcome, opened_at: sql<number>`coalesce(opened_at, ${at})` },
    )
    .where('reference', 'in', references)
    .execute();
  await appendEvents(
    db,
    references.map((reference) => ({ at, reference, outcome })),
  );
  return moving.length;
}
