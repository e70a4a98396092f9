import { createPanel, type Panel } from './createPanel.js';
import { createDomElement } from './elements.js';
import { lockScroll } from './lockScroll.js';
import type { ViewHandle } from './ViewHandle.js';
import type { ViewRequest } from './ViewRequest.js';

// What a menu or a drawer around the button would take for a click or a key outside of it.
const OURS = ['pointerdown', 'mousedown', 'click', 'focusin', 'keydown'];

/**
 * Shows the widget in a modal dialog, in the window and under the styles of its button. It is made by
 * hand: as JSX its close and cancel events would reach React ancestors, and unmounting would drop the
 * focus to the body.
 */
export function openDialog(request: ViewRequest): ViewHandle {
  const { trigger, messages } = request;
  const dialog = createDomElement('dialog', 'ramp-dialog');
  dialog.setAttribute('aria-label', messages.checkout);
  if (trigger) copyLanguage(trigger, dialog);
  for (const type of OURS) dialog.addEventListener(type, (event) => event.stopPropagation());
  findDialogParent(trigger).append(dialog);
  const panel = showPanel(dialog, request);
  const release = lockScroll(dialog.ownerDocument.documentElement);

  const remove = () => {
    panel.remove();
    dialog.close();
    // Before the state is let go: the focus that comes back must not count as intent.
    trigger?.focus({ preventScroll: true });
    dialog.remove();
    release();
  };
  const focus = () => panel.close.focus();
  return { isOpen: () => dialog.isConnected, focus, remove, detach: remove };
}

/** Shows the dialog with its panel. Where that throws, the page is left without an empty dialog. */
function showPanel(dialog: HTMLDialogElement, request: ViewRequest): Panel {
  let panel: Panel | undefined;
  try {
    panel = createPanel(dialog, request, () => dialog.close());
    panel.close.autofocus = true;
    dialog.addEventListener('close', () => request.onEnd());
    dialog.showModal();
    return panel;
  } catch (error) {
    panel?.remove();
    dialog.remove();
    throw error;
  }
}

/** At the end of the button's document or shadow tree; of the page's where the button is gone. */
function findDialogParent(trigger: HTMLElement | undefined): ParentNode {
  const tree = trigger?.isConnected ? trigger.getRootNode() : document;
  return (tree as Document).body ?? tree;
}

/** What the dialog would inherit if it stood where the button does. */
function copyLanguage(trigger: HTMLElement, dialog: HTMLElement): void {
  dialog.dir = getComputedStyle(trigger).direction;
  const lang = trigger.closest<HTMLElement>('[lang]')?.lang;
  if (lang) dialog.lang = lang;
}
