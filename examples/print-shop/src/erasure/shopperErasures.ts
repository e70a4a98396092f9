import {
  type ErasureResult,
  type SqlOrderStore,
  withTransaction,
} from '@partner-ramp/react/server/sql';
import type { Kysely } from 'kysely';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { ShopTables } from '../database/shopTables.js';

/** Erases the data of shoppers, in the order store and in the shop's own tables. */
export interface ShopperErasures {
  /**
   * Erases the shopper's finished checkouts. Returns the open ones, which `finish` erases later. While the shopper has an
   * open case, nothing is erased: the operator needs to see the order. Call this method after the shopper can no longer
   * sign in.
   */
  erase(subject: string): Promise<ErasureResult>;
  /** Continues every erasure that is not complete. */
  finish(): Promise<void>;
  /** Calls `finish` once an hour. */
  start(): void;
  /** Stops calling `finish`, and waits for a running call. */
  stop(): Promise<void>;
}

interface ErasureOptions {
  readonly database: Pick<ShopDatabase, 'db'>;
  readonly store: Pick<SqlOrderStore, 'eraseSubject'>;
  readonly onError: (error: unknown) => void;
}

const EVERY_MS = 3_600_000;

export function shopperErasures(options: ErasureOptions): ShopperErasures {
  const { database, store, onError } = options;
  const { db } = database;
  let timer: ReturnType<typeof setInterval> | undefined;
  let running: Promise<void> = Promise.resolve();

  async function erase(subject: string): Promise<ErasureResult> {
    // Record the erasure first, so that `finish` completes it after a crash.
    await withTransaction(db, (connection) =>
      connection
        .insertInto('shop_erasures')
        .values({ subject })
        .onConflict((conflict) => conflict.column('subject').doNothing())
        .execute(),
    );
    const cases = await listOpenCases(db, subject);
    if (cases.length > 0)
      return {
        erased: 0,
        open: cases.map(({ reference, order_id }) => ({ reference, orderIds: [order_id] })),
      };
    const result = await store.eraseSubject(subject);
    await withTransaction(db, (connection) => eraseRows(connection, subject, result));
    return result;
  }

  async function finish(): Promise<void> {
    // A shopper whose erasure fails must not keep the others waiting.
    for (const { subject } of await db.selectFrom('shop_erasures').select('subject').execute())
      await erase(subject).catch(onError);
  }

  return {
    erase,
    finish,
    start() {
      timer = setInterval(() => {
        running = running.then(finish).catch(onError);
      }, EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

const listOpenCases = (db: Kysely<ShopTables>, subject: string) =>
  db
    .selectFrom('shop_cases')
    .select(['order_id', 'reference'])
    .where('handled_at', 'is', null)
    .where('subject', '=', subject)
    .execute();

/**
 * Erases the shopper's rows, except those of open checkouts. Sales and deliveries are kept without the shopper's ID: a
 * sold print must not be sold again, and the operator still sees what was delivered.
 */
async function eraseRows(
  db: Kysely<ShopTables>,
  subject: string,
  { open }: Pick<ErasureResult, 'open'>,
): Promise<void> {
  // Read the open cases again: a case may have been opened since `erase` read them.
  const openCases = await listOpenCases(db, subject);
  const references = [...open, ...openCases].map(({ reference }) => reference);
  const orderIds = [
    ...open.flatMap((checkout) => checkout.orderIds),
    ...openCases.map(({ order_id }) => order_id),
  ];
  // SQL does not allow an empty list, so begin each list with '', which is never a reference or an order ID.
  const keptReferences = ['', ...references];
  const keptOrders = ['', ...orderIds];
  await db
    .deleteFrom('shop_cases')
    .where('subject', '=', subject)
    .where('reference', 'not in', keptReferences)
    .execute();
  await db
    .deleteFrom('shop_failures')
    .where('subject', '=', subject)
    .where('reference', 'not in', keptReferences)
    .execute();
  await db
    .updateTable('shop_deliveries')
    .set({ subject: '', reference: '' })
    .where('subject', '=', subject)
    .where('reference', 'not in', keptReferences)
    .execute();
  await db
    .updateTable('shop_sold')
    .set({ subject: '' })
    .where('subject', '=', subject)
    .where('order_id', 'not in', keptOrders)
    .execute();
  // The print stays reserved until the reservation ends, so keep the row without the shopper.
  await db.updateTable('shop_holds').set({ subject: '' }).where('subject', '=', subject).execute();
  if (references.length === 0)
    await db.deleteFrom('shop_erasures').where('subject', '=', subject).execute();
}
