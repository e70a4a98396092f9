import type { OrderResolution, OrderStore, QuarantineReason } from '@partner-ramp/react/server';
import { withTransaction } from '@partner-ramp/react/server/sql';
import type { Kysely } from 'kysely';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { ShopTables } from '../database/shopTables.js';

/**
 * Why an order needs a person: it is quarantined, its print was already sold to an earlier order (`sold-before`), its
 * checkout already had an order (`paid-again`), the service reports a status that nobody knows (`unknown`), it has no
 * checkout in this shop (`unmatched`), or the shop fails to deliver it (`delivery`).
 */
export type CaseReason =
  | QuarantineReason
  | 'sold-before'
  | 'paid-again'
  | 'unknown'
  | 'unmatched'
  | 'delivery';

/** The reasons that end by themselves when a later change says what the order is. */
export const OPEN_QUESTIONS = ['unknown', 'unmatched'] as const satisfies readonly CaseReason[];

/** A case as it is stored. A failing delivery has no row until an operator handles it. Times are Unix seconds. */
export interface StoredCase {
  readonly orderId: string;
  /** Empty if the order has no checkout. */
  readonly reference: string;
  readonly reason: CaseReason;
  readonly openedAt: number;
  readonly handledAt?: number;
  readonly outcome?: OrderResolution;
  readonly note?: string;
}

/** What an operator did about a case. The shopper reads the outcome; the note is for colleagues. */
export interface CaseResolution {
  readonly outcome: OrderResolution;
  readonly note: string;
}

/**
 * The result of handling a case: `handled` with the time that `reopen` needs; `already-handled` by a colleague;
 * `delivered` if the shop delivered the order first; `not-found` if the order has no case.
 */
export type HandledCase =
  | { readonly result: 'handled'; readonly handledAt: number }
  | { readonly result: 'already-handled'; readonly stored: StoredCase }
  | { readonly result: 'delivered' }
  | { readonly result: 'not-found' };

export interface OrderCases {
  /** Returns the number of open cases that are stored. */
  countOpen(): Promise<number>;
  /** Returns open cases, the oldest first. */
  listOpen(limit: number): Promise<StoredCase[]>;
  /** Returns the cases of these orders, open or not. */
  find(orderIds: readonly string[]): Promise<ReadonlyMap<string, StoredCase>>;
  /** Closes the case of an order. If the shop was failing to deliver the order, it stops trying. */
  handle(orderId: string, resolution: CaseResolution): Promise<HandledCase>;
  /**
   * Reopens the case that was handled at `handledAt`, and keeps its note. Returns false if a colleague has reopened or
   * handled it since then. If the shop was failing to deliver the order, a call within UNDO_SECONDS deletes the case
   * instead, and the shop tries to deliver the order again. A later call only reopens the case, because the tracker may
   * have dropped the change.
   */
  reopen(orderId: string, handledAt: number): Promise<boolean>;
}

/**
 * The time within which the handling of a case can be undone. The page offers this for 10 seconds, and its request may
 * take 2 more.
 */
const UNDO_SECONDS = 10 + 2;
/**
 * The time that a delivery waits for an undo. It is a little longer than UNDO_SECONDS, because the clocks of two
 * instances may differ.
 */
const UNDO_LIMIT_SECONDS = UNDO_SECONDS + 3;

/** @param now - Milliseconds since 1970. */
export function orderCases(
  { db }: Pick<ShopDatabase, 'db'>,
  store: Pick<OrderStore, 'listUndelivered' | 'resolveOrder'>,
  now: () => number,
): OrderCases {
  const getSeconds = () => Math.floor(now() / 1000);
  const selectCases = () => db.selectFrom('shop_cases').selectAll();
  const findOne = async (orderId: string) => {
    const row = await selectCases().where('order_id', '=', orderId).executeTakeFirst();
    return row && toStoredCase(row);
  };

  /**
   * Records the outcome of the stored case in the order store, where the shopper sees it. Store the case before this
   * call: if two operators handle the case at once, the first to store it wins. If the call fails, the next attempt to
   * handle the case repeats this call.
   */
  async function tellShopper(orderId: string): Promise<void> {
    const stored = await findOne(orderId);
    await store.resolveOrder(orderId, stored?.outcome ?? null, getSeconds());
  }

  async function closeOpenCase(orderId: string, handled: Handled): Promise<boolean> {
    const [closed] = await withTransaction(db, (connection) =>
      connection
        .updateTable('shop_cases')
        .set(handled)
        .where('order_id', '=', orderId)
        .where('handled_at', 'is', null)
        .returning('order_id')
        .execute(),
    );
    return closed !== undefined;
  }

  /**
   * Takes over an order that the shop fails to deliver. Returns false if the shop delivers the order first, and
   * undefined if no delivery is pending.
   */
  async function takeOver(orderId: string, handled: Handled): Promise<boolean | undefined> {
    const changes = await store.listUndelivered({ orderIds: [orderId], limit: 10 });
    const [first] = changes;
    if (!first || first.record.matchStatus === 'unmatched') return undefined;
    const { matchStatus, reference, changedAt } = first.record;
    const subject = first.intent?.subject ?? null;
    const quarantine = matchStatus === 'quarantined' ? first.record : undefined;
    return withTransaction(db, async (connection) => {
      // The key of a change is unique, so either this transaction or the delivery of the change inserts it.
      const keys = changes.map(({ key }) => ({ key, at: handled.handled_at }));
      const taken = await connection
        .insertInto('shop_changes')
        .values(keys)
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .execute();
      if (taken.length < keys.length) throw new DeliveredError();
      const opened = {
        order_id: orderId,
        reference,
        subject,
        reason: quarantine?.reason ?? 'delivery',
        field: quarantine?.field ?? null,
        opened_at: changedAt,
      };
      await connection
        .insertInto('shop_cases')
        .values({ ...opened, ...handled })
        .execute();
      return true;
    }).catch((error) => {
      if (error instanceof DeliveredError) return false;
      throw error;
    });
  }

  return {
    async countOpen() {
      const { count } = await db
        .selectFrom('shop_cases')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('handled_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async listOpen(limit) {
      const rows = await selectCases()
        .where('handled_at', 'is', null)
        .orderBy('opened_at')
        .orderBy('order_id')
        .limit(limit)
        .execute();
      return rows.map(toStoredCase);
    },
    async find(orderIds) {
      if (orderIds.length === 0) return new Map();
      const rows = await selectCases().where('order_id', 'in', orderIds).execute();
      return new Map(rows.map((row) => [row.order_id, toStoredCase(row)]));
    },
    async handle(orderId, { outcome, note }) {
      const handledAt = getSeconds();
      const handled = { handled_at: handledAt, outcome, note: note || null };
      let isHandled: boolean | undefined = await closeOpenCase(orderId, handled);
      if (!isHandled) {
        const earlier = await findOne(orderId);
        if (!earlier) isHandled = await takeOver(orderId, handled);
        if (isHandled === undefined) return { result: 'not-found' };
      }
      if (!isHandled) {
        const stored = await findOne(orderId);
        if (!stored) return { result: 'delivered' };
        await tellShopper(orderId);
        return { result: 'already-handled', stored };
      }
      await tellShopper(orderId);
      return { result: 'handled', handledAt };
    },
    async reopen(orderId, handledAt) {
      const isUndone = handledAt >= getSeconds() - UNDO_SECONDS;
      const changes = await store.listUndelivered({ orderIds: [orderId], limit: 10 });
      const isReopened = await withTransaction(db, async (connection) => {
        const [reopened] = await connection
          .updateTable('shop_cases')
          .set({ handled_at: null, outcome: null })
          .where('order_id', '=', orderId)
          .where('handled_at', '=', handledAt)
          .returning('reason')
          .execute();
        if (reopened?.reason !== 'delivery' || !isUndone) return reopened !== undefined;
        await connection.deleteFrom('shop_cases').where('order_id', '=', orderId).execute();
        const keys = changes.map(({ key }) => key);
        if (keys.length > 0)
          await connection.deleteFrom('shop_changes').where('key', 'in', keys).execute();
        return true;
      });
      if (isReopened) await tellShopper(orderId);
      return isReopened;
    },
  };
}

interface Handled extends CaseRow {
  readonly handled_at: number;
}

type CaseRow = Pick<StoredRow, 'outcome' | 'note'>;

interface StoredRow {
  readonly order_id: string;
  readonly reference: string;
  readonly reason: string;
  readonly opened_at: number | string;
  readonly handled_at: number | string | null;
  readonly outcome: string | null;
  readonly note: string | null;
}

const toStoredCase = ({
  order_id,
  reference,
  reason,
  opened_at,
  handled_at,
  outcome,
  note,
}: StoredRow): StoredCase => ({
  orderId: order_id,
  reference,
  reason: reason as CaseReason,
  openedAt: Number(opened_at),
  ...(handled_at !== null && { handledAt: Number(handled_at) }),
  ...(outcome !== null && { outcome: outcome as OrderResolution }),
  ...(note !== null && { note }),
});

/** The shop delivered an order while an operator tried to take it over. */
class DeliveredError extends Error {}

/** An operator has just handled an order, and can still undo that. */
export class HandledNowError extends Error {}

/**
 * Returns whether an operator has taken over an order that the shop failed to deliver. The shop must then not deliver
 * the order.
 *
 * @throws HandledNowError while the operator can still undo that. The tracker delivers the change again later.
 */
export async function isTakenOver(
  db: Kysely<ShopTables>,
  orderId: string,
  at: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('shop_cases')
    .select('handled_at')
    .where('order_id', '=', orderId)
    .where('reason', '=', 'delivery')
    .executeTakeFirst();
  if (!found) return false;
  if (Number(found.handled_at) > at - UNDO_LIMIT_SECONDS)
    throw new HandledNowError(
      'An operator is handling this order. Its delivery waits until that can no longer be undone.',
    );
  return true;
}
