// What a page's components know about each other's checkouts: which ones the page has open, which cards show them, and
// which were opened or dismissed in this tab. This state belongs to the page, so two buttons or two React roots share
// it.
import { createListeners } from './createListeners.js';
import { createTabList } from './createTabList.js';

const listeners = createListeners();

/**
 * Calls `listener` whenever one of this module's functions would return something new. Returns a function that
 * unsubscribes.
 */
export const subscribePageCheckouts = listeners.subscribe;

/** The part of a widget's view that other components of the page use. */
export interface OpenWidget {
  /** Whether the widget is in a separate window, which may be behind this one. */
  readonly isWindow: boolean;
  isOpen(): boolean;
  focus(): void;
}

/** The widgets that are open in this page or in a window that it opened, by checkout reference. */
const widgets = new Map<string, OpenWidget>();

/** Records that a checkout's widget is open. Returns a function that removes the record. */
export function addOpenWidget(reference: string, widget: OpenWidget): () => void {
  widgets.set(reference, widget);
  listeners.notify();
  return () => {
    // The checkout may have moved to another view by now.
    if (widgets.get(reference) !== widget) return;
    widgets.delete(reference);
    listeners.notify();
  };
}

/** Returns the checkout's widget if this page has it open. */
export function getOpenWidget(reference: string | undefined): OpenWidget | undefined {
  const widget = reference === undefined ? undefined : widgets.get(reference);
  return widget?.isOpen() ? widget : undefined;
}

/** Returns whether this page has the widget of any checkout open. */
export const hasOpenWidget = (): boolean => [...widgets.values()].some((widget) => widget.isOpen());

/** The cards that show each checkout, by reference, newest last. A card is added once its state has loaded. */
const cards = new Map<string, readonly Element[]>();

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

const getCards = (reference: string): readonly Element[] => cards.get(reference) ?? [];

function setCards(reference: string, shown: readonly Element[]): void {
  if (shown.length > 0) cards.set(reference, shown);
  else cards.delete(reference);
  listeners.notify();
}

/** At most five references are kept for each backend. Shoppers rarely have more than two open. */
const opened = createReferenceList('opened', 5);

/**
 * Returns the references of the checkouts that this tab opened with signatures from the backend at `api`, newest first.
 * The list survives a reload and a redirect. Only references are stored, because the backend decides who may see a
 * checkout's state.
 */
export const getOpenedCheckouts = opened.get;

/** Adds a checkout that this tab has opened to the front of the list. */
export const addOpenedCheckout = opened.add;

/** Removes a checkout, for example because the backend does not show it to this user. */
export const removeOpenedCheckout = opened.remove;

const dismissed = createReferenceList('dismissed', 50);

/** Returns the references of the checkouts whose note the shopper dismissed in this tab, even on another page. */
export const getDismissedCheckouts = dismissed.get;

/** Adds a checkout whose note the shopper has dismissed. */
export const addDismissedCheckout = dismissed.add;

/** Creates lists of references, one for each backend, which a tab keeps until it is closed. */
function createReferenceList(name: string, max: number) {
  const lists = createTabList(name, max, (item): item is string => typeof item === 'string');
  const none: readonly string[] = [];
  const get = (api: string | undefined) => (api === undefined ? none : lists.read(api));
  const without = (api: string, reference: string) =>
    get(api).filter((other) => other !== reference);
  function set(api: string, list: readonly string[]): void {
    lists.write(api, list);
    listeners.notify();
  }
  return {
    /** Returns the same array until the list changes. */
    get,
    add: (api: string, reference: string) => set(api, [reference, ...without(api, reference)]),
    remove(api: string, reference: string) {
      if (get(api).includes(reference)) set(api, without(api, reference));
    },
  };
}
