/** The card that shows each checkout, by its reference. A card is added once its state has loaded. */
const cards = new Map<string, Element>();
const listeners = new Set<() => void>();

/** Records that a card shows a checkout. Returns a function that removes the record. */
export function addShownCheckout(reference: string, card: Element): () => void {
  cards.set(reference, card);
  notify();
  return () => {
    // Another card may show the same checkout by now.
    if (cards.get(reference) !== card) return;
    cards.delete(reference);
    notify();
  };
}

/** Returns the card that shows the checkout, if any. */
export const getCardOf = (reference: string | undefined): Element | undefined =>
  reference === undefined ? undefined : cards.get(reference);

/** Calls `listener` when a card is added or removed. Returns a function that unsubscribes. */
export function subscribeShownCheckouts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
