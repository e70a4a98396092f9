import type { PluralText } from '../protocol/fillText.js';

/** The texts of the list of checkouts, and of the note about a checkout in progress. */
export interface HistoryMessages {
  /** The accessible name of the list. */
  readonly history: string;
  /** Announced by screen readers until the first response. */
  readonly historyLoading: string;
  /** Shown instead of the list if the shopper has no checkouts. */
  readonly historyEmpty: string;
  /** Shown while the list cannot be loaded. Requests are repeated automatically. */
  readonly historyFailed: string;
  readonly historyMore: string;
  /** Shown above `historyMore` after its request has failed. */
  readonly historyMoreFailed: string;
  /** `{count}`: announced by screen readers after `historyMore` has loaded more checkouts. */
  readonly historyShown: PluralText;
  /** The names of a checkout in the list, one for each kind of widget. */
  readonly cryptoPurchase: string;
  readonly nftPurchase: string;
  /** Opens the steps and the receipt of a checkout in the list. */
  readonly orderDetails: string;
  /** Shown on any page while a checkout waits for its payment. */
  readonly inProgress: string;
  readonly dismiss: string;
}

/** The English texts of the list and the note. They are in a separate file, because few pages show them. */
export const historyEnglish: HistoryMessages = {
  history: 'Your orders',
  historyLoading: 'Loading your orders…',
  historyEmpty: 'No orders yet.',
  historyFailed:
    'Your orders could not be loaded. They are safe, and this page tries again by itself.',
  historyMore: 'Show older orders',
  historyMoreFailed: 'Older orders could not be loaded.',
  historyShown: { one: '{count} order shown.', other: '{count} orders shown.' },
  cryptoPurchase: 'Crypto purchase',
  nftPurchase: 'NFT purchase',
  orderDetails: 'Details',
  inProgress: 'You have a checkout in progress.',
  dismiss: 'Dismiss',
};
