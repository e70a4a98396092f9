import { withTransaction } from '@partner-ramp/react/server/sql';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { Shopper } from '../session/Shopper.js';

/** The state of a print that exists once, as one shopper sees it. */
export type PrintState =
  | { readonly state: 'for-sale' | 'sold' | 'yours' }
  /** Reserved by another shopper until `heldUntil` (Unix seconds). */
  | { readonly state: 'held'; readonly heldUntil: number };

/** Reservations and sales of the prints that exist once. */
export interface PrintReservations {
  /**
   * Reserves a print for a shopper, unless it is sold or reserved for another shopper. Only one of several shoppers who
   * call concurrently gets `for-sale`. A reservation is not a sale: once it has ended, another shopper's payment can
   * arrive first.
   */
  reserve(printId: string, shopper: Pick<Shopper, 'id'>): Promise<PrintState>;
  /** Returns the states of prints that are sold, or reserved by someone else. This shopper can buy all others. */
  listStates(subject: string | undefined): Promise<ReadonlyMap<string, PrintState>>;
}

/**
 * The time of a reservation, from the last click. It exceeds the five minutes for which the service accepts a signed
 * URL, and is long enough to pay.
 */
const HOLD_SECONDS = 15 * 60;

/** @param now - Milliseconds since 1970. */
export function printReservations({ db }: ShopDatabase, now: () => number): PrintReservations {
  async function listStates(subject: string | undefined, at: number) {
    const holds = await db
      .selectFrom('shop_holds')
      .selectAll()
      .where('held_until', '>', at)
      .execute();
    const sold = await db.selectFrom('shop_sold').selectAll().execute();
    const states = new Map<string, PrintState>();
    for (const { print_id, subject: holder, held_until } of holds)
      if (holder !== subject)
        states.set(print_id, { state: 'held', heldUntil: Number(held_until) });
    for (const { print_id, subject: buyer } of sold)
      states.set(print_id, { state: buyer === subject ? 'yours' : 'sold' });
    return states;
  }

  const getSeconds = () => Math.floor(now() / 1000);
  return {
    async reserve(print_id, { id: subject }) {
      const at = getSeconds();
      const hold = { subject, held_until: at + HOLD_SECONDS };
      // One statement decides: it changes nothing while another shopper holds the print.
      await withTransaction(db, (connection) =>
        connection
          .insertInto('shop_holds')
          .values({ print_id, ...hold })
          .onConflict((conflict) =>
            conflict
              .column('print_id')
              .doUpdateSet(hold)
              .where((row) =>
                row.or([
                  row('shop_holds.held_until', '<=', at),
                  row('shop_holds.subject', '=', subject),
                ]),
              ),
          )
          .execute(),
      );
      return (await listStates(subject, at)).get(print_id) ?? { state: 'for-sale' };
    },
    listStates: (subject) => listStates(subject, getSeconds()),
  };
}
