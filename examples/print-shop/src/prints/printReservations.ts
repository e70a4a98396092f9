import { withTransaction } from '@partner-ramp/react/server/sql';
import type { Kysely } from 'kysely';
import type { ShopDatabase } from '../database/openDatabase.js';
import type { ShopTables } from '../database/shopTables.js';
import type { Shopper } from '../session/Shopper.js';

/** The state of a print that exists once, as one shopper sees it. */
type PrintState =
  | { readonly state: 'for-sale' | 'sold' | 'yours' }
  /** Reserved by another shopper until `heldUntil` (Unix seconds). */
  | { readonly state: 'held'; readonly heldUntil: number };

/**
 * The state that decides whether a checkout is signed. `paused`: this visitor has already reserved the print for the
 * maximum time without paying.
 */
export type ReservationState =
  | PrintState
  | { readonly state: 'paused'; readonly pausedUntil: number };

/** Reservations and sales of the prints that exist once. */
export interface PrintReservations {
  /**
   * Reserves a print for a shopper, unless it is sold or reserved for another shopper. If several shoppers call
   * concurrently, only one of them gets `for-sale`. The exception is a print that visitors have reserved one after
   * another for too long: it is not reserved any more, and several calls can return `for-sale`. A reservation is not a
   * sale. Once it has ended, another shopper's payment can arrive first.
   */
  reserve(printId: string, shopper: Pick<Shopper, 'id' | 'visitor'>): Promise<ReservationState>;
  /** Returns the states of prints that are sold, or reserved by someone else. This shopper can buy all others. */
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
    // Insert the row or lock the existing one. A concurrent transaction for the same print waits here, and then reads
    // what this transaction has changed.
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

/** The time of one reservation. It exceeds the time for which a signed URL is valid, and is long enough to pay. */
const HOLD_SECONDS = 15 * 60;
/**
 * The maximum time for which one visitor can reserve a print without paying, however often the reservation is
 * extended.
 */
const MAX_HOLD_SECONDS = 30 * 60;
/**
 * The minimum time of a reservation. The service accepts a signed URL for five minutes, and the print must be
 * reserved until then.
 */
const MIN_HOLD_SECONDS = 5 * 60;
/**
 * The pause after a reservation. A visitor who reserves the same print again within this pause continues the earlier
 * reservation, so MAX_HOLD_SECONDS limits both together. After a series of MAX_BUSY_SECONDS, nobody can reserve the
 * print within this pause.
 */
const PAUSE_SECONDS = 60 * 60;

/** The maximum time for which visitors can reserve a print one after another if none of them pays. */
const MAX_BUSY_SECONDS = 60 * 60;
/** The time without a reservation after which the next reservation starts a new series. */
const FREE_SECONDS = 5 * 60;

/** The latest reservation of a print. Times are Unix seconds. */
interface Reservation {
  readonly subject: string;
  /** The ID of the browser, which both of its demo accounts share. */
  readonly visitor: string;
  readonly heldSince: number;
  readonly heldUntil: number;
  /**
   * When the current series of reservations by any visitors began. Within a series, the print is never free for long.
   */
  readonly busySince: number;
}

/** The reservation that a checkout starts or extends, or the reason why the checkout reserves nothing. */
type ReservationResult =
  | ({ readonly state: 'granted' } & Pick<Reservation, 'heldSince' | 'heldUntil' | 'busySince'>)
  /** Nobody can reserve the print at present. Every shopper can buy it, and the first to pay gets it. */
  | { readonly state: 'open' }
  | { readonly state: 'held'; readonly heldUntil: number }
  | { readonly state: 'paused'; readonly pausedUntil: number };

/**
 * Decides whether a shopper gets a reservation, from the latest reservation of the print. A visitor can extend a
 * reservation until half an hour after it began, and then cannot reserve the print for an hour. Otherwise a visitor
 * who never pays could block the print permanently.
 *
 * One person can appear as several visitors by deleting the cookie. Therefore, after an hour of consecutive
 * reservations without a payment, nobody can reserve the print for an hour, and every shopper can buy it.
 *
 * @param at - Unix seconds.
 */
function decideReservation(
  last: Reservation,
  { id, visitor }: { readonly id: string; readonly visitor: string },
  at: number,
): ReservationResult {
  const { subject, heldUntil } = last;
  if (heldUntil > at && subject !== id) return { state: 'held', heldUntil };
  const pausedUntil = heldUntil + PAUSE_SECONDS;
  const isSameVisitor = visitor === last.visitor && at < pausedUntil;
  const heldSince = isSameVisitor ? last.heldSince : at;
  const end = heldSince + MAX_HOLD_SECONDS;
  if (end - at < MIN_HOLD_SECONDS) return { state: 'paused', pausedUntil };
  const busySince = at < heldUntil + getFreeSeconds(last) ? last.busySince : at;
  const busyUntil = busySince + MAX_BUSY_SECONDS;
  if (busyUntil - at < MIN_HOLD_SECONDS) return { state: 'open' };
  return {
    state: 'granted',
    heldSince,
    heldUntil: Math.min(at + HOLD_SECONDS, end, busyUntil),
    busySince,
  };
}

/**
 * Returns the time without a reservation after which a series ends, in seconds. It is longer for a series that has used
 * up MAX_BUSY_SECONDS. Until such a series ends, nobody can reserve the print, and every shopper can buy it.
 */
const getFreeSeconds = ({ busySince, heldUntil }: Reservation): number =>
  heldUntil - busySince > MAX_BUSY_SECONDS - MIN_HOLD_SECONDS ? PAUSE_SECONDS : FREE_SECONDS;
