import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import { isConnectionError, isFinalError } from '../../protocol/errors/errorKinds.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import { fillText, getPluralCategory } from '../../protocol/fillText.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import { hasOrder } from '../../protocol/handler/progress.js';
import { focusCard } from '../focusCard.js';
import { getCardOf, subscribePageCheckouts } from '../pageCheckouts.js';
import type { CheckoutNotice } from './CheckoutNotice.js';
import type { CheckoutState } from './checkoutStates.js';
import { getMessages } from './getMessages.js';

// What the note beside a button says, without React: `noteParts.tsx` renders it as a component, and the custom element
// as plain DOM.

/** A part of a note. Parts are separated by spaces. */
export type NotePart =
  | string
  | { readonly strong: string }
  | {
      readonly button: string;
      readonly onClick: () => void;
      /** Tells the second button of a note from the first. */
      readonly key?: string;
    }
  | { readonly link: string; readonly href: string; readonly onUse: () => void };

type Messages = Partial<RampMessages> | undefined;

/** A state with an error that the shopper must see. */
export type ErrorState = Extract<CheckoutState, { error: RampError }>;

/**
 * Returns an error with the next step: a retry button, the link that replaces a blocked window, or advice if trying
 * again cannot help.
 */
export function describeError(
  { error, url, onLinkClick, openInPlace }: ErrorState,
  given: Messages,
  onRetry: () => void,
): readonly NotePart[] {
  const messages = getMessages({ messages: given });
  if (url) {
    // Call onLinkClick after the browser has followed the link, because the callback removes the link.
    const onUse = () => onLinkClick && setTimeout(onLinkClick);
    const link: NotePart = { link: messages.openHere, href: url, onUse };
    return openInPlace
      ? [messages.blocked, link, { button: messages.openInPlace, onClick: openInPlace }]
      : [messages.blocked, link];
  }
  // A policy's message is written for the shopper.
  if (error.code === 'ERR_POLICY_REFUSED') return [error.message];
  if (error.code === 'ERR_SIGNED_OUT') return [messages.signIn];
  if (isFinalError(error)) return [`${messages.failed} ${messages.askShop}`];
  return [
    describeFailure(error, messages, given?.textLanguage),
    { button: messages.retry, onClick: onRetry },
  ];
}

function describeFailure(
  error: RampError,
  messages: CheckoutMessages,
  language: string | undefined,
): string {
  const { code, retryAfterSeconds: seconds } = error;
  // The backend could not read the order list, so a continued checkout may already be paid.
  if (code === 'ERR_API_RESPONSE') {
    if (!seconds) return messages.couldNotCheck;
    const shown = seconds.toLocaleString(language);
    const wait = fillText(
      messages.retryIn,
      { seconds: shown },
      getPluralCategory(seconds, language),
    );
    return `${messages.couldNotCheck} ${wait}`;
  }
  return isConnectionError(error) ? messages.offline : messages.failed;
}

type CardTexts = typeof import('../status/statusView.js');

/** What the page has learned about a notice's checkouts while showing the notice. */
export interface NoticeFacts {
  /** The newest states of the checkouts, by reference. */
  readonly checkouts: Readonly<Record<string, CheckoutResponse>>;
  /** The texts of the status card. Set once the code has loaded. */
  readonly card?: CardTexts | undefined;
}

export const noFacts: NoticeFacts = { checkouts: {} };

/**
 * Loads the texts of the status card and follows the checkouts of a notice.
 *
 * @param onChange - Called with a function that adds what was learned. Also called when a card appears or disappears.
 * @returns A function that stops the calls.
 */
export function watchNotice(
  notice: CheckoutNotice,
  onChange: (update: (facts: NoticeFacts) => NoticeFacts) => void,
): () => void {
  let isOver = false;
  const unsubscribe = subscribePageCheckouts(() => onChange((facts) => ({ ...facts })));
  import('../status/statusView.js').then(
    (card) => {
      if (!isOver) onChange((facts) => ({ ...facts, card }));
    },
    // The code failed to load: keep the general text.
    () => {},
  );
  const endFollowing = notice.follow?.((checkout) =>
    onChange(({ checkouts, card }) => ({
      card,
      checkouts: { ...checkouts, [checkout.reference]: checkout },
    })),
  );
  return () => {
    isOver = true;
    unsubscribe();
    endFollowing?.();
  };
}

interface NoticeContent {
  readonly parts: readonly NotePart[];
  /** Whether the backend has an order for the checkout. */
  readonly isReceived: boolean;
  /** The page's status card that shows the order. */
  readonly orderCard?: Element | undefined;
}

/** Returns what the notice says: the state of the order if there is one, and what the shopper can do next. */
export function describeNotice(
  notice: CheckoutNotice,
  { checkouts: newest, card }: NoticeFacts,
  given: Messages,
): NoticeContent {
  const { reason, references, secondWindow, showWindow, resume, startNew } = notice;
  const checkouts = references.flatMap((reference) => {
    const known = notice.checkout?.reference === reference ? notice.checkout : undefined;
    return newest[reference] ?? known ?? [];
  });
  const paid = checkouts.find(hasOrder);
  const isReceived = reason === 'paid' || paid !== undefined;
  // Do not show `expired` for a checkout that was reported as paid: if a webhook announces an order that never reaches
  // the order list, the checkout still expires.
  const shown = paid ?? checkouts.find(({ progress }) => progress === 'expired' && !isReceived);
  // If a status card shows the checkout, it includes the state and a button to continue, so the notice shows neither.
  const orderCard = getCardOf(shown?.reference);
  const waitingCard = getCardOf(references[0]);
  const texts = getMessages({ messages: given });
  const canResume = resume && !isReceived && !shown && (startNew || !waitingCard);
  const buttons: NotePart[] = [];
  if (showWindow) buttons.push({ button: texts.showWindow, onClick: showWindow });
  else if (canResume) buttons.push({ button: texts.resume, onClick: resume });
  if (startNew) buttons.push({ button: texts.startNew, onClick: startNew, key: 'startNew' });
  const closeWindow = isReceived && secondWindow === 'open' ? ` ${texts.closeOtherWindow}` : '';
  const received = (startNew ? texts.alreadyPaid : texts.paymentReceived) + closeWindow;
  const warning = isReceived ? received : describeUnpaid(notice, texts);
  const toContent = (...parts: NotePart[]) => ({
    parts: [...parts, ...buttons],
    isReceived,
    orderCard,
  });
  if (orderCard) {
    // A card never asks the shopper to close a window, so the notice does.
    if (closeWindow || startNew) return toContent(warning);
    return showWindow ? toContent(texts.windowOpen) : { parts: [], isReceived, orderCard };
  }
  if (!card || !shown) return toContent(warning);
  const view = card.createStatusView({ data: shown }, given, undefined);
  const [title, hint] = card.describeStatus(view);
  const state = [{ strong: title }, hint];
  return isReceived && (secondWindow || startNew)
    ? toContent(warning, ...state)
    : toContent(...state);
}

/** Returns what the notice says about a checkout without a known order. */
function describeUnpaid({ reason, startNew }: CheckoutNotice, texts: CheckoutMessages): string {
  switch (reason) {
    case 'open':
      return texts.windowOpen;
    case 'hidden':
      return startNew ? texts.findWindow : texts.windowHidden;
    case 'ended':
      return texts.checkoutEnded;
    case 'unknown':
      return `${texts.couldNotCheck} ${texts.doNotPayAgain}`;
    default:
      return startNew ? `${texts.paidQuestion} ${texts.doNotPayAgain}` : texts.doNotPayAgain;
  }
}

/**
 * Scrolls a new notice into view. The notice about an open window may be below the edge of the page although the
 * shopper has just clicked the button above it.
 */
export function revealNotice(news: unknown, line: Element | null): void {
  if (news) scrollToElement(line);
}

/** Returns a value that changes when a notice has news: its reason, or `startNew`, which is new for each question. */
export const getNews = (notice: CheckoutNotice | undefined): unknown =>
  notice?.startNew ?? notice?.reason;

/**
 * Scrolls to the card that shows the order. Scrolling may move the button off the screen, and screen readers do not
 * announce the scroll. So the focus moves to the card too, unless the shopper has since moved it elsewhere.
 */
export function revealCard(orderCard: Element | undefined, { trigger }: CheckoutNotice): void {
  if (!orderCard) return;
  scrollToElement(orderCard);
  if (trigger?.matches(':focus-within') || document.activeElement === document.body)
    focusCard(orderCard);
}

function scrollToElement(element: Element | null): void {
  // jsdom has neither matchMedia nor scrollIntoView.
  const isStill = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView?.({ block: 'nearest', behavior: isStill ? 'instant' : 'smooth' });
}
