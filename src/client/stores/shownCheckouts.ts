import { createListeners } from '../createListeners.js';

/** The cards that show each checkout, by its reference, the newest last. A card is added once its state has loaded. */
const cards = new Map<string, readonly Element[]>();
const listeners = createListeners();

/** Records that a card shows a checkout. Returns a function that removes the record. */
export function addShownCheckout(reference: string, card: Element): () => void {
  setCards(reference, [...getCards(reference), card]);
  return () =>
    setCards(
      reference,
      getCards(reference).filter((other) => other !== card),
    );
}

/** Returns the newest card that shows the checkout, if any. */
export const getCardOf = (reference: string | undefined): Element | undefined =>
  reference === undefined ? undefined : getCards(reference).at(-1);

/** Calls `listener` when a card is added or removed. Returns a function that unsubscribes. */
export const subscribeShownCheckouts = listeners.subscribe;

const getCards = (reference: string): readonly Element[] => cards.get(reference) ?? [];

function setCards(reference: string, shown: readonly Element[]): void {
  if (shown.length > 0) cards.set(reference, shown);
  else cards.delete(reference);
  listeners.notify();
}
