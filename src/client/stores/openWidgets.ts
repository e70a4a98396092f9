import { createListeners } from '../createListeners.js';

/** The part of a widget's view that other components of the page use. */
export interface OpenWidget {
  /** Whether the widget is in a window of its own, which may be behind this one. */
  readonly isWindow: boolean;
  isOpen(): boolean;
  focus(): void;
}

/** The widgets that this page shows, or that are open in one of its windows, by the reference of their checkout. */
const widgets = new Map<string, OpenWidget>();
const listeners = createListeners();

/** Records that the widget of a checkout is open. Returns a function that removes the record. */
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

/** Returns the widget of the checkout if this page has it open. */
export function getOpenWidget(reference: string | undefined): OpenWidget | undefined {
  const widget = reference === undefined ? undefined : widgets.get(reference);
  return widget?.isOpen() ? widget : undefined;
}

/** Returns whether this page has the widget of any checkout open. */
export function hasOpenWidget(): boolean {
  return [...widgets.values()].some((widget) => widget.isOpen());
}

/** Calls `listener` when a widget is opened or closed. Returns a function that unsubscribes. */
export const subscribeOpenWidgets = listeners.subscribe;
