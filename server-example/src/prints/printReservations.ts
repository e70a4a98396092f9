import { withTransaction } from '@partner-ramp/react/server/sql';
import type { Kysely } from 'kysely';
import type { ShopDatabase } from '../database/ShopDatabase.js';
import type { ShopTables } from '../database/ShopTables.js';
import type { Shopper } from '../session/Shopper.js';
import { decideReservation } from './decideReservation.js';

/** The state of a print that exists once, for one shopper. */
type PrintState =
  | { readonly state: 'for-sale' | 'sold' | 'yours' }
  /** Reserved by another shopper until `heldUntil` (Unix seconds). */
  | { readonly state: 'held'; readonly heldUntil: number };

/** The same for a checkout. `paused`: this visitor has reached the maximum time without paying. */
export type ReservationState =
  | PrintState
  | { readonly state: 'paused'; readonly pausedUntil: number };

/** Reservations and sales of the prints that exist once. */
export interface PrintReservations {
  /**
   * Reserves a print for a shopper, unless it is sold or reserved for another shopper. Of several
   * concurrent calls, one returns `for-sale`, unless visitors reserved the print in turns for too long: then
   * all do. A reservation is not a sale: after it has ended, another payment can arrive earlier.
   */
  reserve(printId: string, shopper: Pick<Shopper, 'id' | 'visitor'>): Promise<ReservationState>;
  /** Returns the states of prints that are sold or reserved. All others are for sale. */
  listStates(subject: string | undefined): Promise<ReadonlyMap<string, PrintState>>;
}

/** @param now - Milliseconds since 1970. */
export function printReservations(database: ShopDatabase, now: () => number): PrintReservations {
  const { db } = database;
  const getSeconds = () => Math.floor(now() / 1000);

  async function reserveRow(
    connection: Kysely<ShopTables>,
    print_id: string,
    shopper: Pick<Shopper, 'id' | 'visitor'>,
  ) {
    const at = getSeconds();
    // The insert locks an existing row, so the second of two transactions reads the changes of the first.
    const { subject, visitor, held_since, held_until, busy_since } = await connection
      .insertInto('shop_reservations')
      .values({ print_id, subject: '', visitor: '', held_since: 0, held_until: 0, busy_since: 0 })
      .onConflict((conflict) => conflict.column('print_id').doUpdateSet({ print_id }))
      .returningAll()
      .executeTakeFirstOrThrow();
    const last = {
      subject,
      visitor,
      heldSince: Number(held_since),
      heldUntil: Number(held_until),
      busySince: Number(busy_since),
    };
    const result = decideReservation(last, shopper, at);
    if (result.state === 'granted')
      await connection
        .updateTable('shop_reservations')
        .set({
          subject: shopper.id,
          visitor: shopper.visitor,
          held_since: result.heldSince,
          held_until: result.heldUntil,
          busy_since: result.busySince,
        })
        .where('print_id', '=', print_id)
        .execute();
    return result;
  }

  const reservations: PrintReservations = {
    async reserve(printId, shopper) {
      const result = await withTransaction(database.db, (connection) =>
        reserveRow(connection, printId, shopper),
      );
      const state = (await reservations.listStates(shopper.id)).get(printId) ?? {
        state: 'for-sale',
      };
      return result.state === 'paused' && state.state === 'for-sale' ? result : state;
    },
    async listStates(subject) {
      const holds = await db
        .selectFrom('shop_reservations')
        .select(['print_id', 'subject', 'held_until'])
        .where('held_until', '>', getSeconds())
        .execute();
      const sold = await db.selectFrom('shop_sold').selectAll().execute();
      const states = new Map<string, PrintState>();
      for (const { print_id, subject: holder, held_until } of holds)
        if (holder !== subject)
          states.set(print_id, { state: 'held', heldUntil: Number(held_until) });
      for (const { print_id, subject: buyer } of sold)
        states.set(print_id, { state: buyer === subject ? 'yours' : 'sold' });
      return states;
    },
  };
  return reservations;
}
