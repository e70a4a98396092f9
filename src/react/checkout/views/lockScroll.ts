/** How many dialogs hold a page, and what lets go of it. */
const locks = new WeakMap<HTMLElement, { count: number; release: () => void }>();

/**
 * Keeps the page behind a dialog from scrolling, and from moving into the place of its scroll bar. By
 * its own style, as a stylesheet of the page cannot see a dialog in a shadow tree.
 *
 * @param root - The document's root element.
 * @returns Lets go of it.
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
  // The one that the window scrolls by: with the other the body would scroll by itself, and what
  // sticks to the window's edge would stick to the body's.
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

/** Sets a style, and gives back the page's own unless the page has set another meanwhile. */
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
