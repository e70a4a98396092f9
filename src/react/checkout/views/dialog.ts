import type { ViewHandle, ViewRequest } from '../view.js';
import { createDomElement, createPanel, type Panel } from './panel.js';

// Events that a menu or drawer around the button would treat as clicks or keys outside of it.
const OURS = ['pointerdown', 'mousedown', 'click', 'focusin', 'keydown'];

/**
 * Shows the widget in a modal dialog, in the same document or shadow tree as its button. The dialog is plain
 * DOM: with JSX its `close` and `cancel` events would reach React ancestors, and unmounting would move the
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
    closeDialog(dialog);
    // Before the state changes: the returned focus must not trigger a prefetch.
    trigger?.focus({ preventScroll: true });
    dialog.remove();
    release();
  };
  const focus = () => panel.close.focus();
  return { isOpen: () => dialog.isConnected, focus, remove, detach: remove };
}

/** Shows the dialog with its panel. If that throws, it removes the empty dialog. */
function showPanel(dialog: HTMLDialogElement, request: ViewRequest): Panel {
  let panel: Panel | undefined;
  try {
    panel = createPanel(dialog, request, () => closeDialog(dialog));
    panel.close.autofocus = true;
    dialog.addEventListener('close', () => request.onEnd());
    if (dialog.showModal) dialog.showModal();
    else showNonModal(dialog, panel);
    return panel;
  } catch (error) {
    panel?.remove();
    dialog.remove();
    throw error;
  }
}

/** Shows the dialog without `showModal`, which jsdom does not have, with the focus and the key of a modal one. */
function showNonModal(dialog: HTMLDialogElement, panel: Panel): void {
  dialog.setAttribute('open', '');
  dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && closeDialog(dialog));
  panel.close.focus();
}

function closeDialog(dialog: HTMLDialogElement): void {
  if (dialog.close) dialog.close();
  else if (dialog.hasAttribute('open')) {
    dialog.removeAttribute('open');
    dialog.dispatchEvent(new Event('close'));
  }
}

/** Returns the document body or shadow root of the button, or the page's body if the button is not connected. */
function findDialogParent(trigger: HTMLElement | undefined): ParentNode {
  const tree = trigger?.isConnected ? trigger.getRootNode() : document;
  return (tree as Document).body ?? tree;
}

/** Copies the language and direction that the dialog would inherit at the button's position. */
function copyLanguage(trigger: HTMLElement, dialog: HTMLElement): void {
  dialog.dir = getComputedStyle(trigger).direction;
  const lang = trigger.closest<HTMLElement>('[lang]')?.lang;
  if (lang) dialog.lang = lang;
}

/** The number of dialogs that share a scroll lock, and the function that releases it. */
const locks = new WeakMap<HTMLElement, { count: number; release: () => void }>();

/**
 * Sets a scroll lock: the page behind a dialog neither scrolls nor shifts when its scroll bar disappears. Inline
 * styles do it, because a stylesheet of the page cannot match a dialog in a shadow tree.
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
  // The element that scrolls the window. If overflow were hidden on the other one, the body would become a scroll
  // container, and sticky elements would stick to it instead of the window.
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

/** Sets a style, and returns a function that restores the page's value unless the page has changed it meanwhile. */
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
