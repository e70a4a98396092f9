import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type CheckoutMessages, checkoutEnglish } from '../../messages/CheckoutMessages.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { RampSettings } from '../provider/RampProvider.js';
import { usePolledCheckouts } from '../status/usePolledCheckouts.js';
import { hasOrder, isPaid } from './events.js';
import type { CheckoutNotice, CheckoutState } from './session.js';
import type { Checkout } from './useCheckout.js';

export interface CheckoutNoteProps {
  /** The state of the checkout, for example the result of `useCheckout`. */
  readonly state: CheckoutState &
    Pick<RampSettings, 'errorAction' | 'messages'> &
    Partial<Pick<Checkout, 'open' | 'close'>>;
  /** @default the messages of `state` */
  readonly messages?: Partial<RampMessages> | undefined;
  /** Called by the button "Try again", or by the page's `errorAction`. @default opens the checkout */
  readonly onRetry?: (() => void) | undefined;
  /** Called when the notice learns that the backend has an order of the checkout. */
  readonly onOrder?: (() => void) | undefined;
}

/**
 * Shows an error to the shopper with the next step: the page's `errorAction`, a retry button, or the link that replaces
 * a blocked window. After a lost connection, the error is removed once the browser is online again. Without an error,
 * it shows the notice about a checkout that is open in another window or may have been paid.
 */
export function CheckoutNote({ state, onOrder, ...props }: CheckoutNoteProps) {
  const { error, url, onLinkClick, open, close } = state;
  const { onRetry = () => open?.(), messages: given = state.messages } = props;
  const messages = { ...checkoutEnglish, ...given };
  const isOffline = error && /NETWORK|TIMEOUT/.test(error.code);
  useEffect(() => {
    if (!isOffline || !close) return;
    addEventListener('online', close);
    return () => removeEventListener('online', close);
  });
  if (!error) return <OrderNotice state={state} messages={given} onOrder={onOrder} />;
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
          // The middle mouse button opens the link too; the right button only opens a menu.
          onAuxClick={({ button }) => button === 1 && onUse()}
        >
          {messages.openHere}
        </a>
      </>
    );
  }
  const { code, message } = error;
  const isRefused = code === 'ERR_POLICY_REFUSED';
  const text = isOffline ? messages.offline : messages.failed;
  // Offer no retry after a refusal: unless the page changes something, the policy would refuse again.
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
 * Shows the notice beside the button, and scrolls it into view unless its reason is `open`. Without a notice, the live
 * region is rendered empty, because screen readers announce only changes of a region that already exists.
 */
function OrderNotice({
  state,
  messages,
  onOrder,
}: Pick<CheckoutNoteProps, 'state' | 'messages' | 'onOrder'>) {
  const { notice } = state;
  const line = useRef<HTMLSpanElement>(null);
  // Do not scroll to the notice about an open window, because the shopper has just clicked the button beside it.
  const reason = notice?.reason;
  useEffect(() => {
    if (reason && reason !== 'open') scrollToElement(line.current);
  }, [reason]);
  return (
    <span
      ref={line}
      className="ramp-notice"
      role="status"
      aria-live={notice?.isAnnounced ? 'off' : undefined}
    >
      {notice && <OrderStatusText notice={notice} messages={messages} onOrder={onOrder} />}
    </span>
  );
}

function scrollToElement(element: Element | null): void {
  // jsdom has neither matchMedia nor scrollIntoView.
  const isStill = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView?.({ block: 'nearest', behavior: isStill ? 'instant' : 'smooth' });
}

type CardContent = typeof import('../status/card/noticeContent.js');

interface OrderStatusTextProps {
  readonly notice: CheckoutNotice;
  readonly messages: Messages;
  readonly onOrder: CheckoutNoteProps['onOrder'];
}

function OrderStatusText({ notice, messages, onOrder }: OrderStatusTextProps) {
  const [card, setCard] = useState<CardContent>();
  useEffect(() => {
    import('../status/card/noticeContent.js').then(
      setCard,
      // The code failed to load: keep the general text.
      () => {},
    );
  }, []);
  // Poll instead of opening an event stream: a browser opens at most six connections to a server over HTTP/1.1, and a
  // status card may use one already. Polling ends once the checkout is paid, because only the card shows later states,
  // such as the settlement of an NFT. While the checkout is open in another window, do not poll, because the code that
  // shows the window updates the notice.
  const { reason, references, secondWindow, showWindow, resume, trigger } = notice;
  const polled = usePolledCheckouts(showWindow ? none : references, notice, POLL_MS, isPaid);
  const checkouts = references.flatMap((reference) => {
    const known = notice.checkout?.reference === reference ? notice.checkout : undefined;
    return polled[reference]?.checkout ?? known ?? [];
  });
  const paid = checkouts.find(hasOrder);
  const isReceived = reason === 'paid' || paid !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onOrder` may be a new function at each render
  useEffect(() => {
    if (isReceived) onOrder?.();
  }, [isReceived]);
  // Do not show `expired` for a checkout that was reported as paid: if a webhook announces an order that never reaches
  // the order list, the checkout expires nevertheless.
  const shown = paid ?? checkouts.find(({ progress }) => progress === 'expired' && !isReceived);
  // If a status card of the page shows the checkout, the card has the state and a button to continue. So the notice
  // shows neither.
  const orderCard = useCardOf(card, shown?.reference);
  const waitingCard = useCardOf(card, references[0]);
  useEffect(() => {
    if (!card || !orderCard) return;
    scrollToElement(orderCard);
    // Scrolling may move the button off the screen, and screen readers do not announce the scroll. So move the focus to
    // the card too, unless the shopper has moved it elsewhere meanwhile.
    if (trigger?.matches(':focus') || document.activeElement === document.body)
      card.focusCard(orderCard);
  }, [card, orderCard, trigger]);
  const texts = { ...checkoutEnglish, ...messages };
  const button = showWindow ? (
    <NoticeButton onClick={showWindow}>{texts.showWindow}</NoticeButton>
  ) : (
    resume &&
    !isReceived &&
    !shown &&
    !waitingCard && <NoticeButton onClick={resume}>{texts.resume}</NoticeButton>
  );
  const closeWindow = isReceived && secondWindow === 'open' ? ` ${texts.closeOtherWindow}` : '';
  const warning = isReceived ? texts.paymentReceived + closeWindow : describeUnpaid(reason, texts);
  if (orderCard) {
    // A card never asks the shopper to close a window, so the notice does.
    if (closeWindow) return withButton(warning, button);
    return showWindow ? withButton(texts.windowOpen, button) : null;
  }
  if (!card || !shown) return withButton(warning, button);
  const view = card.createStatusView({ data: shown }, messages, undefined);
  const [title, hint] = card.describeStatus(view);
  return withButton(
    <>
      {isReceived && secondWindow && `${warning} `}
      <strong>{title}</strong> {hint}
    </>,
    button,
  );
}

const none: readonly string[] = [];

/** Returns what the notice says about a checkout without a known order. */
function describeUnpaid(reason: CheckoutNotice['reason'], texts: CheckoutMessages): string {
  switch (reason) {
    case 'open':
      return texts.windowOpen;
    case 'ended':
      return texts.checkoutEnded;
    case 'unknown':
      return `${texts.couldNotCheck} ${texts.doNotPayAgain}`;
    default:
      return texts.doNotPayAgain;
  }
}

const withButton = (text: ReactNode, button: ReactNode) => (
  <>
    {text}
    {button && <> {button}</>}
  </>
);

const NoticeButton = (props: { readonly onClick: () => void; readonly children: string }) => (
  <button type="button" className="ramp-notice-button" {...props} />
);

/**
 * Returns the status card that shows the checkout, and rerenders the component when that card changes. This hook does
 * not call useSyncExternalStore. No other code of a button calls that function, so webpack would add its name to the
 * first load.
 */
function useCardOf(
  card: CardContent | undefined,
  reference: string | undefined,
): Element | undefined {
  const [found, setFound] = useState<Element>();
  useEffect(() => {
    if (!card) return;
    const read = () => setFound(card.getCardOf(reference));
    read();
    return card.subscribeShownCheckouts(read);
  }, [card, reference]);
  return found;
}
