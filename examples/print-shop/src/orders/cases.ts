import type { OrderResolution, PendingChange, ReviewReason } from '@partner-ramp/react/server';
import { type SqlOrderStore, withTransaction } from '@partner-ramp/react/server/sql';
import type { Kysely } from 'kysely';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { ShopTables } from '../database/shopTables.js';

/**
 * Why an order needs a person: the package has it reviewed, its print was already sold to an earlier order
 * (`sold-before`), its checkout already had an order (`paid-again`), or the shop fails to deliver it (`delivery`).
 */
export type CaseReason = ReviewReason | 'sold-before' | 'paid-again' | 'delivery';

/** The reasons that end by themselves when the order is delivered, or is reviewed for another reason. */
export const PASSING_REASONS = [
  'unknown-status',
  'no-checkout',
  'delivery',
] as const satisfies readonly CaseReason[];

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
   * handled it since then. If the shop was failing to deliver the order, it tries again.
   */
  reopen(orderId: string, handledAt: number): Promise<boolean>;
}

/** @param now - Milliseconds since 1970. */
export function orderCases(
  { db }: Pick<ShopDatabase, 'db'>,
  store: Pick<SqlOrderStore, 'listUndelivered' | 'resolveOrder'>,
  now: () => number,
): OrderCases {
  const getSeconds = () => Math.floor(now() / 1000);
  const selectCases = () => db.selectFrom('shop_cases').selectAll();
  const findOne = async (orderId: string) => {
    const row = await selectCases().where('order_id', '=', orderId).executeTakeFirst();
    return row && toStoredCase(row);
  };

  /**
   * Records the outcome of the stored case in the order store, where the shopper sees it. If two operators handle the
   * case at once, the first to store it wins. If the call fails, the next attempt to handle the case repeats it.
   */
  async function tellShopper(orderId: string): Promise<void> {
    const stored = await findOne(orderId);
    await store.resolveOrder(orderId, stored?.outcome ?? null);
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
      const changes = await store.listUndelivered({ orderIds: [orderId], limit: 10 });
      const failing = changes.find(({ checkout }) => checkout);
      if (!failing && !(await findOne(orderId))) return { result: 'not-found' };
      // This waits for a delivery that is running. No other one begins afterwards.
      const stopped = failing && (await store.resolveOrder(orderId, outcome));
      const isDelivered = stopped?.deliveredAt !== undefined;
      const isHandled = await withTransaction(
        db,
        async (connection) =>
          (await closeCase(connection, orderId, handled)) ||
          (failing !== undefined && !isDelivered && (await takeOver(connection, failing, handled))),
      );
      await tellShopper(orderId);
      if (isHandled) return { result: 'handled', handledAt };
      const stored = await findOne(orderId);
      return stored ? { result: 'already-handled', stored } : { result: 'delivered' };
    },
    async reopen(orderId, handledAt) {
      const isReopened = await withTransaction(db, async (connection) => {
        const [reopened] = await connection
          .updateTable('shop_cases')
          .set({ handled_at: null, outcome: null })
          .where('order_id', '=', orderId)
          .where('handled_at', '=', handledAt)
          .returning('order_id')
          .execute();
        return reopened !== undefined;
      });
      if (isReopened) await tellShopper(orderId);
      return isReopened;
    },
  };
}

/** Closes the open case of an order. Returns false if there is none. */
async function closeCase(
  db: Kysely<ShopTables>,
  orderId: string,
  handled: Handled,
): Promise<boolean> {
  const [closed] = await db
    .updateTable('shop_cases')
    .set(handled)
    .where('order_id', '=', orderId)
    .where('handled_at', 'is', null)
    .returning('order_id')
    .execute();
  return closed !== undefined;
}

/** Stores the case of an order that the shop no longer delivers. Returns false if a colleague was first. */
async function takeOver(
  db: Kysely<ShopTables>,
  { record, checkout }: PendingChange,
  handled: Handled,
): Promise<boolean> {
  const quarantine = record.matchStatus === 'quarantined' ? record : undefined;
  const [taken] = await db
    .insertInto('shop_cases')
    .values({
      order_id: record.order.orderId,
      reference: checkout?.reference ?? '',
      subject: checkout?.subject ?? null,
      reason: quarantine?.reason ?? 'delivery',
      field: quarantine?.field ?? null,
      opened_at: record.changedAt,
      ...handled,
    })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .returning('order_id')
    .execute();
  return taken !== undefined;
}

interface Handled {
  readonly handled_at: number;
  readonly outcome: OrderResolution;
  readonly note: string | null;
}

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
