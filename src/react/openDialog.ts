import type { Shown, ViewRequest } from './checkout-view.js';
import { createPanel, element } from './createPanel.js';

// What a menu or a drawer around the button would take for a click or a key outside of it.
const OURS = ['pointerdown', 'mousedown', 'click', 'focusin', 'keydown'];

/**
 * Shows the widget in a modal dialog. It is made by hand: as JSX its close and cancel events would
 * reach React ancestors, and unmounting would drop the focus to the body.
 */
export function openDialog(request: ViewRequest): Shown {
  const { trigger, messages } = request;
  const dialog = element('dialog', 'ramp-dialog');
  dialog.setAttribute('aria-label', messages.checkout);
  if (trigger) dialog.dir = getComputedStyle(trigger).direction;
  for (const type of OURS) dialog.addEventListener(type, (event) => event.stopPropagation());
  const panel = createPanel(dialog, request, () => dialog.close());
  panel.close.autofocus = true;
  dialog.addEventListener('close', () => request.onEnd());
  document.body.append(dialog);
  dialog.showModal();

  const remove = () => {
    panel.remove();
    dialog.close();
    // Before the state is let go: the focus that comes back must not count as intent.
    trigger?.focus({ preventScroll: true });
    dialog.remove();
  };
  const focus = () => panel.close.focus();
  return { isOpen: () => dialog.isConnected, focus, remove, letGo: remove };
}
