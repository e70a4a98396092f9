/** The time of one reservation. It is longer than a signed URL is valid, and long enough to pay. */
const HOLD_SECONDS = 15 * 60;
/** The maximum time that a visitor can reserve a print without paying, with any number of requests. */
const MAX_HOLD_SECONDS = 30 * 60;
/** The service accepts a signed URL for this time, so no URL is signed for a shorter reservation. */
const MIN_HOLD_SECONDS = 5 * 60;
/** The time after a reservation in which other visitors have priority. */
const PAUSE_SECONDS = 60 * 60;

/** The maximum time that visitors together can reserve a print without paying, one after another. */
const MAX_BUSY_SECONDS = 60 * 60;
/** After this time without a reservation, the next one is not one of a series. */
const FREE_SECONDS = 5 * 60;

/** The latest reservation of a print. Times are Unix seconds. */
export interface Reservation {
  readonly subject: string;
  /** Both accounts of one browser have the same. */
  readonly visitor: string;
  readonly heldSince: number;
  readonly heldUntil: number;
  /** When the first of the reservations began that followed each other without free time. */
  readonly busySince: number;
}

/** The reservation that a checkout starts or extends, or the reason why it does neither. */
export type ReservationResult =
  | ({ readonly state: 'granted' } & Pick<Reservation, 'heldSince' | 'heldUntil' | 'busySince'>)
  /** Not reserved: of all shoppers, the first to pay gets the print. */
  | { readonly state: 'open' }
  | { readonly state: 'held'; readonly heldUntil: number }
  | { readonly state: 'paused'; readonly pausedUntil: number };

/**
 * Decides on a reservation, given the latest one of the print. It can be extended up to half an hour after
 * it began, because otherwise a visitor who never pays could block the print permanently. After that, the
 * visitor cannot reserve the print for an hour.
 *
 * A cookie costs nothing, so visitors who reserve in turns may be one person. After an hour of reservations
 * without a payment, no shopper can reserve the print for an hour, and every shopper can buy it.
 *
 * @param at - Unix seconds.
 */
export function decideReservation(
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

/** Returns the time after a reservation in which the next one belongs to the same series. */
const getFreeSeconds = ({ busySince, heldUntil }: Reservation): number =>
  heldUntil - busySince > MAX_BUSY_SECONDS - MIN_HOLD_SECONDS ? PAUSE_SECONDS : FREE_SECONDS;
