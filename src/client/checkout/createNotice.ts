import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { isPaid } from '../../protocol/handler/progress.js';
import { watchCheckout } from '../watch/poller.js';
import type { Checkout } from './Checkout.js';
import type { CheckoutNotice } from './CheckoutNotice.js';
import type { Opening } from './Opening.js';
import { removePendingPurchase } from './purchases.js';

export interface NoticeInput
  extends Pick<CheckoutNotice, 'reason' | 'checkout' | 'isAnnounced' | 'showWindow' | 'startNew'> {
  /** Whether the window of the checkout may still be open. */
  readonly isWindowOpen?: boolean;
}

/**
 * Returns the notice about a checkout that is open in another window or may have been paid. Returns `undefined` if the
 * window is closed and no backend can tell the state of the checkout.
 */
export function createNotice(
  checkout: Checkout,
  opening: Opening,
  reference: string | undefined,
  { isWindowOpen, ...given }: NoticeInput,
): CheckoutNotice | undefined {
  const { earlier, trigger, options } = opening;
  const { api } = options;
  const { reason, showWindow, startNew } = given;
  const references = [...new Set([reference, earlier?.reference])].filter((one) => one != null);
  const isKnown = references.length > 0 && api != null;
  if (!isKnown && !showWindow && reason !== 'hidden') return undefined;
  const secondWindow = earlier?.isMoved ? (isWindowOpen ? 'open' : 'closed') : undefined;
  // If the checkout may be open in another window, offer to continue it only after asking the shopper.
  const canResume = isKnown && (reason === 'closed' || reason === 'unknown' || startNew);
  const resume = canResume && reference ? () => checkout.reopen(opening, reference) : undefined;
  // The code that shows the window updates the notice about it.
  const follow = api != null && !showWindow ? createFollower(checkout, api, references) : undefined;
  return { ...given, references, secondWindow, trigger, resume, follow };
}

/** Watches each checkout until it is paid. Only the card shows later states, such as a settlement. */
const createFollower =
  (checkout: Checkout, api: string, references: readonly string[]) =>
  (onChange: (state: CheckoutResponse) => void): (() => void) => {
    const watches = references.map((reference) => {
      const watch = watchCheckout(() => checkout.getBackend(api), reference, {
        onChange(state) {
          if (isPaid(state)) watch.end();
          onChange(state);
        },
        onError() {},
      });
      return watch;
    });
    return () => {
      for (const watch of watches) watch.end();
    };
  };

/**
 * Asks the shopper before a second checkout opens for the same purchase: the first may be open in another window, or
 * may have been paid.
 *
 * @param asked - The click that would have opened the second checkout.
 */
export function askFirst(
  checkout: Checkout,
  opening: Opening,
  reference: string | undefined,
  asked: Opening,
  given: Omit<NoticeInput, 'startNew'>,
): void {
  const { display, trigger, purchaseKey } = opening;
  const startNew = () => {
    removePendingPurchase(purchaseKey);
    checkout.open({ display, trigger });
  };
  const notice = createNotice(checkout, opening, reference, { ...given, startNew });
  checkout.change({ type: 'ended', opening: asked, reference, notice });
}
