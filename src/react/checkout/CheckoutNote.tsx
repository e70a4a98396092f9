import { useEffect, useRef, useState } from 'react';
import { checkoutEnglish } from '../../messages/CheckoutMessages.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { RampSettings } from '../provider/RampProvider.js';
import { usePolledCheckouts } from '../status/usePolledCheckouts.js';
import { hasOrder, isPaid } from './events.js';
import type { CheckoutNotice, CheckoutState } from './session.js';

/** The props of the note beside the button. */
export interface CheckoutNoteProps {
  readonly state: CheckoutState & Pick<RampSettings, 'errorAction'>;
  readonly messages: Partial<RampMessages> | undefined;
  readonly onRetry: () => void;
}

/**
 * Shows an error to the shopper with the next step: that of the page, a retry button, or the link that replaces a
 * blocked window.
 * Without an error, it shows the notice about a checkout that may have been paid.
 */
export function CheckoutNote({ state, onRetry, ...props }: CheckoutNoteProps) {
  const messages = { ...checkoutEnglish, ...props.messages };
  const { error, url, onLinkClick } = state;
  if (!error) return <OrderNotice state={state} messages={props.messages} />;
  if (url) {
    // Call onLinkClick after the browser has followed the link, because the callback removes the link.
    const onUse = () => onLinkClick && setTimeout(onLinkClick);
    return (
      <>
        {messages.blocked}{' '}
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          onClick={onUse}
          // The middle button opens the link too; the right button only opens a menu.
          onAuxClick={({ button }) => button === 1 && onUse()}
        >
          {messages.openHere}
        </a>
      </>
    );
  }
  const { code, message } = error;
  const isRefused = code === 'ERR_POLICY_REFUSED';
  const text = messages[/NETWORK|TIMEOUT/.test(code) ? 'offline' : 'failed'];
  // Without a change on the page, the policy would refuse again.
  const retry = isRefused ? null : (
    <button type="button" onClick={onRetry}>
      {messages.retry}
    </button>
  );
  return (
    <>
      {isRefused ? message : text} {state.errorAction?.(error, onRetry) ?? retry}
    </>
  );
}

const POLL_MS = 4000;

type Messages = CheckoutNoteProps['messages'];

/**
 * Shows the order of a closed checkout beside the button, and scrolls it into view. Without a notice, the live region
 * is rendered empty, because screen readers announce only changes of a region that already exists.
 */
function OrderNotice({ state, messages }: Omit<CheckoutNoteProps, 'onRetry'>) {
  const { notice } = state;
  const line = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (notice) scrollToElement(line.current);
  }, [notice]);
  return (
    <span ref={line} className="ramp-notice" role="status">
      {notice && <OrderStatusText notice={notice} messages={messages} />}
    </span>
  );
}

function scrollToElement(element: Element | null): void {
  // jsdom has neither matchMedia nor scrollIntoView.
  const isStill = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView?.({ block: 'nearest', behavior: isStill ? 'instant' : 'smooth' });
}

type StatusContent = typeof import('../status/card/statusContent.js');

type CardContent = Pick<
  StatusContent,
  'createStatusView' | 'describeStatus' | 'getCardOf' | 'subscribeShownCheckouts'
>;

interface OrderStatusTextProps {
  readonly notice: CheckoutNotice;
  readonly messages: Messages;
}

function OrderStatusText({ notice, messages }: OrderStatusTextProps) {
  const [card, setCard] = useState<CardContent>();
  useEffect(() => {
    import('../status/card/statusContent.js').then(
      // Name the exports that are used, so that bundlers drop the others.
      ({ createStatusView, describeStatus, getCardOf, subscribeShownCheckouts }) =>
        setCard({ createStatusView, describeStatus, getCardOf, subscribeShownCheckouts }),
      // The code failed to load: keep the general text.
      () => {},
    );
  }, []);
  // Poll instead of opening an event stream: a browser opens at most six connections to a server over HTTP/1.1, and a
  // status card may use one already. Polling ends once the checkout is paid, because only the card shows later states,
  // such as the settlement of an NFT.
  const { reason, references, secondWindow } = notice;
  const polled = usePolledCheckouts(references, notice, POLL_MS, isPaid);
  const checkouts = references.flatMap((reference) => polled[reference]?.checkout ?? []);
  const paid = checkouts.find(hasOrder);
  const isReceived = reason === 'paid' || paid;
  // Do not show `expired` for a checkout that was reported as paid: if a webhook announces an order that never reaches
  // the order list, the checkout expires nevertheless.
  const shown = paid ?? checkouts.find(({ progress }) => progress === 'expired' && !isReceived);
  // Not useSyncExternalStore: webpack would name it in the first load, because no other code of a button uses it.
  const [otherCard, setOtherCard] = useState<Element>();
  const reference = shown?.reference;
  useEffect(() => {
    if (!card) return;
    const read = () => setOtherCard(card.getCardOf(reference));
    read();
    return card.subscribeShownCheckouts(read);
  }, [card, reference]);
  useEffect(() => {
    if (otherCard) scrollToElement(otherCard);
  }, [otherCard]);
  const texts = { ...checkoutEnglish, ...messages };
  const closeWindow = isReceived && secondWindow === 'open' ? ` ${texts.closeOtherWindow}` : '';
  const warning = (isReceived ? texts.paymentReceived : texts.doNotPayAgain) + closeWindow;
  // A card of the page shows this state too. Only the notice can ask to close a window.
  if (otherCard) return closeWindow ? warning : null;
  if (!card || !shown) return warning;
  const view = card.createStatusView({ data: shown }, messages, undefined);
  const [title, hint] = card.describeStatus(view);
  return (
    <>
      {isReceived && secondWindow && `${warning} `}
      <strong>{title}</strong> {hint}
    </>
  );
}
