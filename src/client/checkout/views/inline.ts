import type { ViewHandle, ViewRequest } from '../view.js';
import { createDomElement } from './domElements.js';
import { createPanel, type Panel } from './panel.js';

/** Shows the widget in the page, in the element that `inlineRef` is attached to. */
export function openInline(request: ViewRequest): ViewHandle {
  const { trigger, messages, container } = request;
  const region = createDomElement('div', 'ramp-inline');
  region.setAttribute('role', 'region');
  region.setAttribute('aria-label', messages.checkout);
  region.tabIndex = -1;
  container?.append(region);
  let panel: Panel;
  try {
    panel = createPanel(
      region,
      request,
      () => request.onEnd(),
      () => {
        // Safari does not focus a clicked button. Focus the region first, because remove() returns the focus only from
        // inside the region.
        region.focus();
        request.onEnd();
      },
    );
  } catch (error) {
    region.remove();
    throw error;
  }
  // Focus the region instead of its first button, which a second press of Enter would click.
  region.focus();

  const remove = () => {
    panel.remove();
    // Return the focus to the button only if the focus is still in the widget.
    if (region.matches(':focus-within')) trigger?.focus({ preventScroll: true });
    region.remove();
  };
  const focus = () => region.focus();
  const { showOutcome } = panel;
  return { isOpen: () => region.isConnected, focus, remove, showOutcome };
}
