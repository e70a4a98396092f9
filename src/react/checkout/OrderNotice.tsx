import { useEffect, useRef, useState } from 'react';
import { checkoutEnglish } from '../../messages/CheckoutMessages.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { usePolledCheckouts } from '../status/usePolledCheckouts.js';
import type { CheckoutNoteProps, CheckoutNotice } from './CheckoutState.js';

const POLL_MS = 4000;

/** The card shows what follows, such as the settlement of an NFT. */
const isPaid = ({ progress }: CheckoutResponse) => /^(finished|settle)/.test(progress);

type Messages = CheckoutNoteProps['messages'];

/**
 * Shows beside the button what became of a checkout that was closed and may have been paid, and scrolls
 * into view. It is rendered empty before that, or a screen reader would not announce its text.
 */
export function OrderNotice({ state, messages }: Omit<CheckoutNoteProps, 'onRetry'>) {
  const { notice, reference } = state;
  const line = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!notice) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const behavior = isStill ? 'instant' : 'smooth';
    line.current?.scrollIntoView({ block: 'nearest', behavior });
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
      // It could not be loaded: the text stays as it is.
      () => {},
    );
  }, []);
  // Not by events: a browser opens six connections to a server, and a card may follow it already.
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
