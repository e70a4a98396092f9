/** How many dialogs hold a page, and what lets go of it. */
const held = new WeakMap<HTMLElement, { count: number; release: () => void }>();

/**
 * Keeps the page behind a dialog from scrolling, and from moving into the place of its scroll bar. By
 * its own style, as a stylesheet of the page cannot see a dialog in a shadow tree.
 *
 * @param root - The document's root element.
 * @returns Lets go of it.
 */
export function holdStill(root: HTMLElement): () => void {
  const hold = held.get(root) ?? { count: 0, release: hidden(root) };
  held.set(root, hold);
  hold.count++;
  return () => {
    if (--hold.count > 0) return;
    held.delete(root);
    hold.release();
  };
}

function hidden(root: HTMLElement): () => void {
  const { body, defaultView } = root.ownerDocument;
  const hasBar = (defaultView?.innerWidth ?? 0) > root.clientWidth;
  // The one that the window scrolls by: with the other the body would scroll by itself, and what
  // sticks to the window's edge would stick to the body's.
  const { style } = getComputedStyle(root).overflow === 'visible' ? body : root;
  const undo = [
    hasBar ? lend(root.style, 'scrollbarGutter', 'stable') : () => {},
    lend(style, 'overflowX', 'hidden'),
    lend(style, 'overflowY', 'hidden'),
  ];
  return () => {
    for (const each of undo) each();
  };
}

/** Sets a style, and gives back the page's own unless the page has set another meanwhile. */
function lend(
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
