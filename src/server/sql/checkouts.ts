import { sql } from 'kysely';
import type { CheckoutMark, CheckoutRecord, OrderStore } from '../OrderStore.js';
import { moves } from '../orders/moves.js';
import { exclusively } from './exclusively.js';
import { keyOf } from './keyOf.js';
import { appendEvents } from './log.js';
import type { Connection, Open } from './SqlDatabase.js';
import { write } from './write.js';

type Checkouts = Pick<
  OrderStore,
  | 'saveIntent'
  | 'findCheckout'
  | 'markOpened'
  | 'markCheckout'
  | 'expireCheckouts'
  | 'hasOpenCheckouts'
>;

/** So many expire in one transaction: others wait for it. */
const BATCH = 500;

export const checkouts = (open: Open): Checkouts => ({
  async saveIntent(intent) {
    const { merchantOrderNo } = intent.params;
    const row = {
      reference: keyOf(intent.reference),
      merchant_order_no: merchantOrderNo ? keyOf(merchantOrderNo) : null,
      expires_at: intent.expiresAt,
      open_until: intent.expiresAt,
      intent: JSON.stringify(intent),
    };
    const saved = await write(await open(), (db) =>
      db
        .insertInto('ramp_intents')
        .values(row)
        .onConflict((conflict) => conflict.column('reference').doNothing())
        .returning('id'),
    );
    if (saved.length === 0) throw new Error('This checkout reference is taken.');
  },
  async findCheckout(reference) {
    const { db } = await open();
    const key = keyOf(reference);
    const found = await db
      .selectFrom('ramp_intents')
      .select(['intent', 'mark', 'opened_at'])
      .where('reference', '=', key)
      .executeTakeFirst();
    if (!found) return undefined;
    const orders = db.selectFrom('ramp_orders').select('record').where('reference', '=', key);
    const records = await orders.orderBy('first_event_id').execute();
    const { intent, mark, opened_at } = found;
    return {
      intent: JSON.parse(intent),
      ...(mark !== null && { mark: mark as CheckoutMark }),
      ...(opened_at !== null && { openedAt: Number(opened_at) }),
      orders: records.map(({ record }) => JSON.parse(record)),
    } satisfies CheckoutRecord;
  },
  async markOpened(reference, at) {
    await write(await open(), (db) =>
      db
        .updateTable('ramp_intents')
        .set({ opened_at: at })
        .where('reference', '=', keyOf(reference))
        .where('opened_at', 'is', null),
    );
  },
  async markCheckout(reference, mark, at) {
    await exclusively(await open(), async (db) => {
      const found = await marked(db).where('reference', '=', keyOf(reference)).execute();
      await writeMarks(db, found, mark, at);
    });
  },
  async expireCheckouts(now) {
    const database = await open();
    let total = 0;
    for (;;) {
      const count = await exclusively(database, async (db) => {
        const over = marked(db).where('open_until', '<=', now).orderBy('open_until').limit(BATCH);
        return writeMarks(db, await over.execute(), 'expired', now);
      });
      total += count;
      if (count < BATCH) return total;
    }
  },
  async hasOpenCheckouts(now) {
    const { db } = await open();
    const still = db.selectFrom('ramp_intents').select('id').where('open_until', '>', now);
    return (await still.limit(1).execute()).length > 0;
  },
});

const marked = (db: Connection) =>
  db.selectFrom('ramp_intents').select(['reference', 'mark', 'matched_order_id']);

type Marked = Awaited<ReturnType<ReturnType<typeof marked>['execute']>>;

/** Marks those of them that move, and answers how many. */
async function writeMarks(
  db: Connection,
  found: Marked,
  mark: CheckoutMark,
  at: number,
): Promise<number> {
  const moving = found.filter((one) =>
    moves(
      { mark: one.mark as CheckoutMark | null, isMatched: one.matched_order_id !== null },
      mark,
    ),
  );
  if (moving.length === 0) return 0;
  const references = moving.map(({ reference }) => reference);
  await db
    .updateTable('ramp_intents')
    .set(
      mark === 'expired'
        ? { mark, open_until: null }
        : // Its order was announced, so somebody has paid.
          { mark, opened_at: sql<number>`coalesce(opened_at, ${at})` },
    )
    .where('reference', 'in', references)
    .execute();
  await appendEvents(
    db,
    references.map((reference) => ({ at, reference, mark })),
  );
  return moving.length;
}
