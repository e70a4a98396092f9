import type { OrderStore, PurgeLimits } from '../../orders/store/OrderStore.js';
import type { OpenDatabase, SqlConnection } from '../SqlDatabase.js';
import { withWriteLock } from '../transactions/withTransaction.js';

/**
 * How many rows one transaction reads. The number is low, because other transactions have to wait, and SQLite blocks
 * the event loop.
 */
const BATCH = 100;

export const purge = (open: OpenDatabase): Pick<OrderStore, 'purge'> => ({
  async purge(limits) {
    const database = await open();
    // Delete under the write lock. Otherwise an order could be recorded for a checkout that is being deleted.
    let cursor: PurgeCursor | undefined = { expiresAt: 0, id: 0 };
    while (cursor) {
      const from: PurgeCursor = cursor;
      cursor = await withWriteLock(database, (db) => deleteCheckouts(db, { ...limits, from }));
    }
    const purgeReplays = () =>
      withWriteLock(database, (db) =>
        deleteReplays(db, limits.replaysBefore).executeTakeFirstOrThrow(),
      );
    while ((await purgeReplays()).numDeletedRows >= BATCH);
  },
});

/**
 * The last checkout of a batch. The next batch begins after it, in the order of the index `ramp_checkouts_unmatched`.
 */
interface PurgeCursor {
  readonly expiresAt: number;
  readonly id: number;
}

interface PurgeRange extends PurgeLimits {
  readonly from: PurgeCursor;
}

/**
 * Reads one batch of checkouts, and deletes those that may be purged. Resolves with the cursor of the next batch, or
 * undefined if this batch was the last.
 */
async function deleteCheckouts(
  db: SqlConnection,
  { from, before, unopenedBefore }: PurgeRange,
): Promise<PurgeCursor | undefined> {
  const rows = await db
    .selectFrom('ramp_checkouts as checkout')
    .select(['checkout.id', 'checkout.expires_at', 'checkout.opened_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('ramp_orders as order')
          .select('order.order_id')
          .whereRef('order.reference', '=', 'checkout.reference'),
      ).as('has_order'),
    )
    .where('checkout.matched_order_id', 'is', null)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('checkout.expires_at', 'checkout.id'), '>', tuple(from.expiresAt, from.id)),
    )
    .where('checkout.expires_at', '<', Math.max(before, unopenedBefore))
    .orderBy('checkout.expires_at')
    .orderBy('checkout.id')
    .limit(BATCH)
    .execute();
  const ids = rows
    .filter(
      ({ has_order, opened_at, expires_at }) =>
        !has_order && Number(expires_at) < (opened_at === null ? unopenedBefore : before),
    )
    .map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('ramp_checkouts').where('id', 'in', ids).execute();
  const last = rows.length === BATCH ? rows.at(-1) : undefined;
  return last && { expiresAt: Number(last.expires_at), id: Number(last.id) };
}

const deleteReplays = (db: SqlConnection, before: number) =>
  db
    .deleteFrom('ramp_replays')
    .where('hash', 'in', (old) =>
      old.selectFrom('ramp_replays').select('hash').where('keep_until', '<', before).limit(BATCH),
    );
