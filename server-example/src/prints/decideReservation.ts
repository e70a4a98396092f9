/** The time of one reservation. It is longer than a signed URL is valid, and long enough to pay. */
const HOLD_SECONDS = 15 * 60;
/** The maximum time that a visitor can reserve a print without paying, with any number of requests. */
const MAX_HOLD_SECONDS = 30 * 60;
/** The service accepts a signed URL for this time, so no URL is signed for a shorter reservation. */
const MIN_HOLD_SECONDS = 5 * 60;
/** The time after a reservation in which other visitors have priority. */
const PAUSE_SECONDS = 60 * 60;

/** The latest reservation of a print. Times are Unix seconds. */
export interface Reservation {
  readonly subject: string;
  /** Both accounts of one browser have the same. */
  readonly visitor: string;
  readonly heldSince: number;
  readonly heldUntil: number;
}

/** The reservation that a checkout starts or extends, or the reason why it does neither. */
export type ReservationResult =
  | { readonly state: 'granted'; readonly heldSince: number; readonly heldUntil: number }
  | { readonly state: 'held'; readonly heldUntil: number }
  | { readonly state: 'paused'; readonly pausedUntil: number };

/**
 * Decides on a reservation, given the latest one of the print. It can be extended up to half an hour after
 * it began, because otherwise a visitor who never pays could block the print permanently. After that, the
 * visitor cannot reserve the print for an hour.
 *
 * @param at - Unix seconds.
 */
export function decideReservation(
  last: Reservation,
  { id, visitor }: { readonly id: string; readonly visitor: string },
  at: number,
): ReservationResult {
  const fresh = { state: 'granted', heldSince: at, heldUntil: at + HOLD_SECONDS } as const;
  const { subject, heldSince, heldUntil } = last;
  if (heldUntil > at && subject !== id) return { state: 'held', heldUntil };
  const pausedUntil = heldUntil + PAUSE_SECONDS;
  if (visitor !== last.visitor || pausedUntil <= at) return fresh;
  const end = heldSince + MAX_HOLD_SECONDS;
  if (end - at < MIN_HOLD_SECONDS) return { state: 'paused', pausedUntil };
  return { state: 'granted', heldSince, heldUntil: Math.min(fresh.heldUntil, end) };
}
