import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import {
  describeError,
  describeNotice,
  getNews,
  type NotePart,
  noFacts,
  revealCard,
  revealNotice,
  watchNotice,
} from '../../client/checkout/noteContent.js';
import type { CheckoutNotice, SessionState } from '../../client/checkout/session.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import { isConnectionError } from '../../protocol/errors/errorKinds.js';
import { createComponent } from '../card/createComponent.js';
import { callPage, toPageContent } from '../card/PageNodes.js';
import type { RampSettings } from '../provider/RampProvider.js';
import type { Checkout } from './useCheckout.js';

/**
 * The state of the last checkout of a button, or of {@link useCheckout}. `status` does not tell whether the checkout is
 * paid: {@link useCheckoutStatus} does.
 */
export interface CheckoutState extends SessionState {
  /**
   * The component that shows the error or the notice, with a button such as “Try again”. Set once its code has
   * loaded.
   */
  readonly Note?: ComponentType<CheckoutNoteProps> | undefined;
}

export interface CheckoutNoteProps {
  /** The state of the checkout, for example the result of `useCheckout`. */
  readonly state: CheckoutState &
    Pick<RampSettings, 'errorAction' | 'messages'> &
    Partial<Pick<Checkout, 'open' | 'close'>>;
  /** @default the messages of `state` */
  readonly messages?: Partial<RampMessages> | undefined;
  /**
   * Called by the button "Try again", or by the page's `errorAction`. @default opens the checkout again, with the display
   * of the opening that failed
   */
  readonly onRetry?: (() => void) | undefined;
  /** Called when the notice learns that the backend has an order of the checkout. */
  readonly onOrder?: (() => void) | undefined;
}

/**
 * Shows an error to the shopper with the next step: the page's `errorAction`, a retry button, or the link that replaces
 * a blocked window. After a lost connection, the error is removed once the browser is online again. Without an error,
 * it shows the notice about a checkout that is open in another window or may have been paid.
 */
export const CheckoutNote = /* @__PURE__ */ createComponent(
  'CheckoutNote',
  function CheckoutNote({ state, onOrder, ...props }: CheckoutNoteProps, _ref) {
    const { error, url, retry, open, close } = state;
    const { onRetry = retry ?? (() => open?.()), messages = state.messages } = props;
    const isOffline = error && isConnectionError(error);
    // The effect must not run again at each render. If another listener of the event renders the page, React would replace
    // this listener before the browser has called it.
    useEffect(() => {
      if (!isOffline || !close) return;
      addEventListener('online', close);
      return () => removeEventListener('online', close);
    }, [isOffline, close]);
    if (!error) return <OrderNotice state={state} messages={messages} onOrder={onOrder} />;
    const parts = describeError(error, state, messages, onRetry);
    const action = url ? undefined : callPage(() => state.errorAction?.(error, onRetry));
    if (action == null) return renderParts(parts);
    return (
      <>
        {renderPart(parts[0] as string, 0, false)}
        <span>{toPageContent(action)}</span>
      </>
    );
  },
);

/**
 * Shows the notice beside the button, and scrolls it into view. Without a notice, the live region is rendered empty,
 * because screen readers announce only changes of a region that already exists.
 */
function OrderNotice({
  state,
  messages,
  onOrder,
}: Pick<CheckoutNoteProps, 'state' | 'messages' | 'onOrder'>) {
  const { notice } = state;
  const line = useRef<HTMLSpanElement>(null);
  return (
    <span
      ref={line}
      className="ramp-notice"
      role="status"
      aria-live={notice?.isAnnounced ? 'off' : undefined}
    >
      <NoticeScroll news={getNews(notice)} line={line} />
      {notice && <OrderStatusText notice={notice} messages={messages} onOrder={onOrder} />}
    </span>
  );
}

interface NoticeScrollProps {
  readonly news: unknown;
  readonly line: RefObject<HTMLSpanElement | null>;
}

/**
 * Scrolls to the notice. It is a component before the text, because then its effect comes before the one that scrolls on
 * to the card of the order. A layout effect would do too, but no other code of a button has one, so webpack would add
 * the name to the first load (13 B).
 */
function NoticeScroll({ news, line }: NoticeScrollProps) {
  useEffect(() => revealNotice(news, line.current), [news, line]);
  return null;
}

interface OrderStatusTextProps extends Pick<CheckoutNoteProps, 'messages' | 'onOrder'> {
  readonly notice: CheckoutNotice;
}

function OrderStatusText({ notice, messages, onOrder }: OrderStatusTextProps) {
  const [facts, setFacts] = useState(noFacts);
  useEffect(() => watchNotice(notice, setFacts), [notice]);
  const { parts, isReceived, orderCard } = describeNotice(notice, facts, messages);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onOrder` may be a new function at each render
  useEffect(() => {
    if (isReceived) onOrder?.();
  }, [isReceived]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reveal a card only once
  useEffect(() => revealCard(facts, orderCard, notice), [orderCard, notice.trigger]);
  return renderParts(parts, 'ramp-notice-button');
}

function renderParts(parts: readonly NotePart[], buttonClass?: string) {
  return <>{parts.map((part, i) => renderPart(part, i, i === parts.length - 1, buttonClass))}</>;
}

/**
 * Renders a part with its kind as key, so that a button keeps the focus while the text before it changes. Each text has
 * an element of its own, because a browser that translates the page replaces text nodes.
 */
function renderPart(part: NotePart, index: number, isLast: boolean, buttonClass?: string) {
  const end = isLast ? '' : ' ';
  if (typeof part === 'string') return <span key={index}>{part + end}</span>;
  if ('strong' in part) return <strong key="strong">{part.strong + end}</strong>;
  if ('button' in part)
    return (
      <button
        key={part.key ?? 'button'}
        type="button"
        className={buttonClass}
        onClick={part.onClick}
      >
        {part.button}
      </button>
    );
  const { link, href, onUse } = part;
  return (
    <a
      key="link"
      href={href}
      target="_blank"
      rel="noreferrer"
      onClick={onUse}
      // The middle mouse button opens the link too; the right button only opens a menu.
      onAuxClick={({ button }) => button === 1 && onUse()}
    >
      {link}
    </a>
  );
}
