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
