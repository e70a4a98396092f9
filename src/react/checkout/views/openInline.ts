import { createPanel, type Panel } from './createPanel.js';
import { createDomElement } from './elements.js';
import type { ViewHandle } from './ViewHandle.js';
import type { ViewRequest } from './ViewRequest.js';

/** Shows the widget in the page, in the element with `inlineRef`. */
export function openInline(request: ViewRequest): ViewHandle {
  const { trigger, messages, container } = request;
  const region = createDomElement('div', 'ramp-inline');
  region.setAttribute('role', 'region');
  region.setAttribute('aria-label', messages.checkout);
  container?.append(region);
  let panel: Panel;
  try {
    panel = createPanel(region, request, () => request.onEnd());
  } catch (error) {
    region.remove();
    throw error;
  }
  panel.close.focus();

  const remove = () => {
    panel.remove();
    // Only if the focus is still in the widget.
    if (region.matches(':focus-within')) trigger?.focus({ preventScroll: true });
    region.remove();
  };
  const focus = () => panel.close.focus();
  return { isOpen: () => region.isConnected, focus, remove, detach: remove };
}
