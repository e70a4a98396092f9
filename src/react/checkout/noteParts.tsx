import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { CheckoutNotice } from '../../client/checkout/CheckoutNotice.js';
import {
  describeError,
  describeNotice,
  type ErrorState,
  getNews,
  type NotePart,
  noFacts,
  revealCard,
  revealNotice,
  watchNotice,
} from '../../client/checkout/noteContent.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import { toPageContent } from '../card/PageNodes.js';

interface ErrorNoteProps {
  readonly state: ErrorState;
  readonly messages: Partial<RampMessages> | undefined;
  readonly onRetry: (() => void) | undefined;
  /** What the page shows instead of "Try again". */
  readonly action: ReactNode;
}

/** Shows an error with its next step. */
export function ErrorNote({ state, messages, onRetry, action }: ErrorNoteProps) {
  const parts = describeError(state, messages, onRetry ?? (() => {}));
  if (action == null) return renderParts(parts);
  const [text] = parts;
  return (
    <>
      {text !== undefined && renderPart(text, 0, false)}
      <span>{toPageContent(action)}</span>
    </>
  );
}

interface OrderNoticeProps {
  readonly notice: CheckoutNotice;
  readonly messages: Partial<RampMessages> | undefined;
  /** The live region that the notice is in. */
  readonly line: RefObject<HTMLSpanElement | null>;
  readonly onOrder: (() => void) | undefined;
}

/** Shows the notice beside the button, and scrolls to it, or on to the card that shows the order. */
export function OrderNotice({ notice, messages, line, onOrder }: OrderNoticeProps) {
  const [facts, setFacts] = useState(noFacts);
  const { parts, isReceived, orderCard } = describeNotice(notice, facts, messages);
  const news = getNews(notice);
  useEffect(() => revealNotice(news, line.current), [news, line]);
  useEffect(() => watchNotice(notice, setFacts), [notice]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onOrder` may be a new function at each render
  useEffect(() => {
    if (isReceived) onOrder?.();
  }, [isReceived]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reveal a card only once
  useEffect(() => revealCard(orderCard, notice), [orderCard, notice.trigger]);
  return renderParts(parts, 'ramp-notice-button');
}

function renderParts(parts: readonly NotePart[], buttonClass?: string) {
  return <>{parts.map((part, i) => renderPart(part, i, i === parts.length - 1, buttonClass))}</>;
}

/**
 * Renders a part with its kind as key, so that a button keeps the focus while the text before it changes. Each text
 * gets its own element, because a browser that translates the page replaces text nodes.
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
