import { useEffect, useRef, useState } from 'react';
import { checkoutEnglish } from '../../messages/CheckoutMessages.js';
import { usePolledCheckouts } from '../status/usePolledCheckouts.js';
import { isPaid } from '../status/watch/progress.js';
import type { CheckoutNoteProps, CheckoutNotice } from './CheckoutState.js';

const POLL_MS = 4000;

type Messages = CheckoutNoteProps['messages'];

/**
 * Shows the order of a closed checkout beside the button, and scrolls into view. It is rendered empty
 * before that, because screen readers announce only changes of an existing live region.
 */
export function OrderNotice({ state, messages }: Omit<CheckoutNoteProps, 'onRetry'>) {
  const { notice, reference } = state;
  const line = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!notice) return;
    // jsdom has neither matchMedia nor scrollIntoView.
    const isStill = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
    const behavior = isStill ? 'instant' : 'smooth';
    line.current?.scrollIntoView?.({ block: 'nearest', behavior });
  }, [notice]);
  return (
    <span ref={line} className="ramp-notice" role="status">
      {notice && reference && (
        <OrderStatusText notice={notice} reference={reference} messages={messages} />
      )}
    </span>
  );
}

type StatusContent = typeof import('../status/card/statusContent.js');

interface OrderWordsProps {
  readonly notice: CheckoutNotice;
  readonly reference: string;
  readonly messages: Messages;
}

function OrderStatusText({ notice, reference, messages }: OrderWordsProps) {
  const [card, setCard] = useState<Pick<StatusContent, 'createStatusView' | 'describeStatus'>>();
  useEffect(() => {
    import('../status/card/statusContent.js').then(
      ({ createStatusView, describeStatus }) => setCard({ createStatusView, describeStatus }),
      // The code failed to load: keep the general text.
      () => {},
    );
  }, []);
  // Later states, such as the settlement of an NFT, are shown only in the card. Polled, because a browser opens at most six connections to a server, and a card may use one already.
  const { checkout } = usePolledCheckouts([reference], notice, POLL_MS, isPaid)[reference] ?? {};
  if (card && checkout && checkout.progress !== 'waiting') {
    const view = card.createStatusView({ checkout }, messages, undefined);
    const [title, hint] = card.describeStatus(view);
    return (
      <>
        <strong>{title}</strong> {hint}
      </>
    );
  }
  const texts = { ...checkoutEnglish, ...messages };
  return notice.reason === 'paid' ? texts.paymentReceived : texts.doNotPayAgain;
}
