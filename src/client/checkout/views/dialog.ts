import type { ViewHandle, ViewRequest } from '../view.js';
import { createDomElement } from './domElements.js';
import { createPanel, type Panel } from './panel.js';

// These events must not leave the dialog: a menu or drawer around the button would treat them as its own clicks, or as
// clicks and focus changes outside of it.
const CONTAINED_EVENTS = ['pointerdown', 'mousedown', 'click', 'focusin'];

/**
 * Overlays that a button may be in: a dialog, a popover or a menu. Their libraries close them, or take the focus back,
 * when something outside is used. In Headless UI, the overlay is the panel inside its dialog, and the panel has no
 * role.
 */
const OVERLAY =
  'dialog, [popover], [role="dialog"], [role="alertdialog"], [role="menu"], [data-headlessui-state]';

/**
 * Shows the widget in a modal dialog, in the same document, shadow tree and overlay as its button. The dialog is plain
 * DOM instead of JSX. As JSX, its `close` and `cancel` events would reach React ancestors, and unmounting it would move
 * the focus to the body.
 */
export function openDialog(request: ViewRequest): ViewHandle {
  const { trigger, messages } = request;
  const dialog = createDomElement('dialog', 'ramp-dialog');
  dialog.setAttribute('aria-label', messages.checkout);
  dialog.tabIndex = -1;
  // React Aria makes everything outside its overlays inert, except elements with this attribute.
  dialog.dataset.reactAriaTopLayer = 'true';
  for (const type of CONTAINED_EVENTS)
    dialog.addEventListener(type, (event) => event.stopPropagation());
  // Read the styles of the page before the first change, which would make the browser compute them again.
  if (trigger) copyLanguage(trigger, dialog);
  const parent = findDialogParent(trigger);
  const release = lockScroll(parent.ownerDocument?.documentElement ?? document.documentElement);
  parent.append(dialog);
  let panel: Panel;
  try {
    panel = showPanel(dialog, request);
  } catch (error) {
    dialog.remove();
    release();
    throw error;
  }
  const releaseKeys = holdKeys(dialog);

  // Check now, because a closing menu will have removed its items by the time this view ends.
  const isInMenu = trigger?.closest('[role="menu"]') != null;
  const remove = () => {
    if (process.env.NODE_ENV !== 'production' && isInMenu && !trigger.isConnected)
      import('../../dev/warnInDev.js').then(({ warnInMenu }) => warnInMenu());
    releaseKeys();
    panel.remove();
    closeDialog(dialog);
    // Return the focus here, because a dialog that was shown without `showModal` does not return it.
    trigger?.focus({ preventScroll: true });
    dialog.remove();
    release();
  };
  const focus = () => dialog.focus();
  const { showOutcome } = panel;
  return { isOpen: () => dialog.isConnected, focus, remove, showOutcome };
}

/** Shows the dialog, and fills it with its panel. */
function showPanel(dialog: HTMLDialogElement, request: ViewRequest): Panel {
  // jsdom has no showModal().
  if (dialog.showModal) dialog.showModal();
  else dialog.setAttribute('open', '');
  // Focus the dialog itself instead of its first button, which a second press of Enter would click. Filling the dialog
  // only now also saves the browser a layout and a change of focus.
  dialog.focus();
  const panel = createPanel(dialog, request, () => closeDialog(dialog));
  dialog.addEventListener('close', () => request.onEnd());
  return panel;
}

/**
 * Keeps key presses in the dialog from reaching the page, and handles Escape. Overlays around the button listen in the
 * document's capture phase, so one Escape would close them too, and Tab would not move the focus within the dialog. The
 * page never receives keys that are pressed in the widget's frame.
 *
 * @returns A function that removes the listener.
 */
function holdKeys(dialog: HTMLDialogElement): () => void {
  const page = dialog.ownerDocument;
  const view = page.defaultView;
  const onKey = (event: KeyboardEvent) => {
    // The body has the focus if the dialog's focused button was removed.
    if (!event.composedPath().includes(dialog) && event.target !== page.body) return;
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    // A question over the widget prevents this event, because Escape dismisses only the question.
    if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) closeDialog(dialog);
  };
  view?.addEventListener('keydown', onKey, true);
  // At the end of a test, Vitest removes the functions of `window` before the page.
  return () => view?.removeEventListener?.('keydown', onKey, true);
}

function closeDialog(dialog: HTMLDialogElement): void {
  if (dialog.close) dialog.close();
  else if (dialog.hasAttribute('open')) {
    dialog.removeAttribute('open');
    dialog.dispatchEvent(new Event('close'));
  }
}

/**
 * Returns the element to append the dialog to: the overlay around the button, the shadow root around it, or the body of
 * its document. Without a connected button, returns the page's body.
 */
function findDialogParent(trigger: HTMLElement | undefined): ParentNode {
  if (!trigger?.isConnected) return document.body;
  const overlay = trigger.parentElement?.closest(OVERLAY);
  // A hidden overlay would hide the dialog.
  if (overlay?.getClientRects().length) return overlay;
  const tree = trigger.getRootNode();
  return (tree as Document).body ?? tree;
}

/** Copies the language and direction that the dialog would inherit at the button's position. */
function copyLanguage(trigger: HTMLElement, dialog: HTMLElement): void {
  dialog.dir = getComputedStyle(trigger).direction;
  const lang = trigger.closest<HTMLElement>('[lang]')?.lang;
  if (lang) dialog.lang = lang;
}

/**
 * The scroll lock of each root element: the number of dialogs that share the lock, and the function that releases it.
 */
const locks = new WeakMap<HTMLElement, { count: number; release: () => void }>();

/**
 * Sets a scroll lock: the page behind a dialog does not scroll, and does not shift when its scroll bar disappears.
 * The lock uses inline styles, because a selector such as `:root:has(dialog)` does not see a dialog inside a shadow
 * tree.
 *
 * @param root - The document's root element.
 * @returns A function that releases the scroll lock.
 */
export function lockScroll(root: HTMLElement): () => void {
  const hold = locks.get(root) ?? { count: 0, release: hideOverflow(root) };
  locks.set(root, hold);
  hold.count++;
  return () => {
    if (--hold.count > 0) return;
    locks.delete(root);
    hold.release();
  };
}

function hideOverflow(root: HTMLElement): () => void {
  const { body, defaultView } = root.ownerDocument;
  const hasBar = (defaultView?.innerWidth ?? 0) > root.clientWidth;
  // Hide the overflow of the element that scrolls the window: the body if the overflow of the root is `visible`,
  // otherwise the root. If both had a hidden overflow, the body would become a scroll container, and sticky elements
  // would stick to the body instead of the window.
  const { style } = getComputedStyle(root).overflow === 'visible' ? body : root;
  const undo = [
    hasBar ? overrideStyle(root.style, 'scrollbarGutter', 'stable') : () => {},
    overrideStyle(style, 'overflowX', 'hidden'),
    overrideStyle(style, 'overflowY', 'hidden'),
  ];
  return () => {
    for (const each of undo) each();
  };
}

/**
 * Sets a style, and returns a function that restores the previous value. The function does nothing if the page has
 * changed the style since.
 */
function overrideStyle(
  style: CSSStyleDeclaration,
  name: 'overflowX' | 'overflowY' | 'scrollbarGutter',
  value: string,
): () => void {
  const before = style[name];
  style[name] = value;
  return () => {
    if (style[name] === value) style[name] = before;
  };
}
