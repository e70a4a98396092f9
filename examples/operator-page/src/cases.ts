import type { OrderResolution, OrderToReview, ReviewReason } from '@partner-ramp/react/server';
import { type SqlOrderStore, withTransaction } from '@partner-ramp/react/server/sql';
import type { Kysely, Selectable } from 'kysely';
import type { OperatorDatabase, OperatorTables } from './operatorTables.js';

/**
 * Why an order needs a person: the package has it reviewed, its print was already sold to an earlier order
 * (`sold-before`), its checkout already had an order (`paid-again`), or the shop fails to deliver it (`delivery`).
 */
export type CaseReason = ReviewReason | 'sold-before' | 'paid-again' | 'delivery';

/** The reasons that end by themselves when the order is delivered, or is reviewed for another reason. */
const PASSING_REASONS = [
  'unknown-status',
  'no-checkout',
  'delivery',
] as const satisfies readonly CaseReason[];

/**
 * A case as it is stored. A failing delivery has no row until an operator handles it. What the operator did is the
 * `resolution` of the order. Times are Unix seconds.
 */
export interface StoredCase {
  readonly orderId: string;
  /** Empty if the order has no checkout. */
  readonly reference: string;
  readonly reason: CaseReason;
  readonly openedAt: number;
  readonly handledAt?: number;
  readonly note?: string;
}

/** What an operator did about a case. The shopper reads the outcome; the note is for colleagues. */
export interface CaseResolution {
  readonly outcome: OrderResolution;
  readonly note: string;
  /** The resolution of the order when the operator saw it, if it had one. */
  readonly seen?: OrderResolution | null | undefined;
}

/**
 * The result of handling a case: `handled` with the time that `reopen` needs; `changed` by a colleague, with the
 * outcome; `delivered` if the shop delivered the order first; `not-found` if the order has no case.
 */
export type HandledCase =
  | { readonly result: 'handled'; readonly handledAt: number }
  | { readonly result: 'changed'; readonly outcome?: OrderResolution | undefined }
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

type CaseRow = Selectable<OperatorTables['shop_cases']>;

/** @param now - Milliseconds since 1970. */
export function orderCases(
  { db }: OperatorDatabase,
  store: Pick<SqlOrderStore, 'listUndelivered' | 'resolveOrder'>,
  now: () => number,
): OrderCases {
  const selectCases = () => db.selectFrom('shop_cases').selectAll();

  /** Returns the case of an order that the shop fails to deliver or to review. */
  async function findFailing(orderId: string): Promise<CaseRow | undefined> {
    const changes = await store.listUndelivered({ orderIds: [orderId], limit: 10 });
    const failing = changes.find(({ checkout }) => checkout);
    if (!failing?.checkout) return undefined;
    const { record, checkout } = failing;
    const quarantine = record.matchStatus === 'quarantined' ? record : undefined;
    return {
      order_id: orderId,
      reference: checkout.reference,
      subject: checkout.subject,
      reason: quarantine?.reason ?? 'delivery',
      field: quarantine?.field ?? null,
      opened_at: record.changedAt,
      handled_at: null,
      note: null,
    };
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
    async handle(orderId, { outcome, note, seen }) {
      const stored = await selectCases().where('order_id', '=', orderId).executeTakeFirst();
      const row = stored ?? (await findFailing(orderId));
      if (!row) return { result: 'not-found' };
      // The order store decides between two operators, and between an operator and a delivery.
      const isPassing = PASSING_REASONS.some((reason) => reason === row.reason);
      const resolved = await store.resolveOrder(orderId, outcome, {
        onlyIf: { resolution: seen, ...(isPassing && { isDelivered: false }) },
      });
      if (!resolved) return { result: 'not-found' };
      if (!resolved.isRecorded)
        return resolved.resolution === (seen ?? undefined)
          ? { result: 'delivered' }
          : { result: 'changed', outcome: resolved.resolution };
      // If this fails, the case stays open, and whoever handles it next sees the outcome.
      const handledAt = Math.floor(now() / 1000);
      const handled = { handled_at: handledAt, note: note || null };
      await withTransaction(db, (connection) =>
        connection
          .insertInto('shop_cases')
          .values({ ...row, opened_at: Number(row.opened_at), ...handled })
          .onConflict((conflict) => conflict.column('order_id').doUpdateSet(handled))
          .execute(),
      );
      return { result: 'handled', handledAt };
    },
    async reopen(orderId, handledAt) {
      const reopened = await withTransaction(db, (connection) =>
        connection
          .updateTable('shop_cases')
          .set({ handled_at: null })
          .where('order_id', '=', orderId)
          .where('handled_at', '=', handledAt)
          .returning('order_id')
          .executeTakeFirst(),
      );
      if (reopened) await store.resolveOrder(orderId, null);
      return reopened !== undefined;
    },
  };
}

/** Deletes the open case of an order that has ended by itself. Call it in `deliver`. */
export async function closePassingCase(db: Kysely<OperatorTables>, orderId: string): Promise<void> {
  await db
    .deleteFrom('shop_cases')
    .where('order_id', '=', orderId)
    .where('reason', 'in', PASSING_REASONS)
    .where('handled_at', 'is', null)
    .execute();
}

/**
 * Opens a case, unless the order has one. An open case gets the new reason. An unknown status reopens a handled case,
 * because the status may confirm what the operator did, or contradict it.
 */
export async function openCase(
  db: Kysely<OperatorTables>,
  { orderId: order_id, state, checkout, field }: OrderToReview,
  reason: CaseReason,
  opened_at: number,
): Promise<void> {
  const opened = {
    reference: checkout?.reference ?? '',
    subject: checkout?.subject ?? null,
    reason,
    field: field ?? null,
    opened_at,
    handled_at: null,
  };
  await db
    .insertInto('shop_cases')
    .values({ order_id, ...opened, note: null })
    .onConflict((conflict) =>
      conflict
        .column('order_id')
        .doUpdateSet(opened)
        .where((row) =>
          state === 'unknown'
            ? row('shop_cases.handled_at', 'is not', null)
            : row.and([
                row('shop_cases.handled_at', 'is', null),
                row('shop_cases.reason', 'in', PASSING_REASONS),
              ]),
        ),
    )
    .execute();
}

const toStoredCase = ({
  order_id,
  reference,
  reason,
  opened_at,
  handled_at,
  note,
}: CaseRow): StoredCase => ({
  orderId: order_id,
  reference,
  reason: reason as CaseReason,
  openedAt: Number(opened_at),
  ...(handled_at !== null && { handledAt: Number(handled_at) }),
  ...(note !== null && { note }),
});
