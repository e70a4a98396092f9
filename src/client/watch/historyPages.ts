import type { ListedCheckout } from '../../protocol/handler/CheckoutResponse.js';

/** The checkouts of all loaded pages, newest first, and the cursor of the next page. */
export interface HistoryPages {
  readonly checkouts: readonly ListedCheckout[];
  readonly nextCursor?: string | undefined;
}

/** Appends the page that follows the known ones. Checkouts that are already known are left out. */
export function appendPage(known: HistoryPages, page: HistoryPages): HistoryPages {
  const references = new Set(known.checkouts.map(({ reference }) => reference));
  return {
    checkouts: [
      ...known.checkouts,
      ...page.checkouts.filter(({ reference }) => !references.has(reference)),
    ],
    nextCursor: page.nextCursor,
  };
}

/**
 * Replaces the start of the list with a refreshed page, which begins with the newest checkout. Older checkouts are
 * kept, because a refresh returns at most the 50 newest.
 */
export function replaceNewest(known: HistoryPages | undefined, page: HistoryPages): HistoryPages {
  const last = page.checkouts.at(-1);
  // Without a cursor, the page contains the whole list.
  if (!known || !last || page.nextCursor === undefined) return page;
  const older = listAfter(known.checkouts, last);
  if (older.length === 0) return page;
  return { checkouts: [...page.checkouts, ...older], nextCursor: known.nextCursor };
}

/** Returns the checkouts after `last`, or those created before it if the list does not contain `last`. */
function listAfter(
  checkouts: readonly ListedCheckout[],
  last: ListedCheckout,
): readonly ListedCheckout[] {
  const position = checkouts.findIndex(({ reference }) => reference === last.reference);
  return position >= 0
    ? checkouts.slice(position + 1)
    : checkouts.filter(({ createdAt }) => createdAt < last.createdAt);
}
