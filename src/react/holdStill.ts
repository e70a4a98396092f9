/** How many dialogs hold a page, and what its own styles were. */
const held = new WeakMap<
  HTMLElement,
  { count: number; overflow: string; scrollbarGutter: string }
>();

/**
 * Keeps the page behind a dialog from scrolling, and from moving into the place of its scroll bar. By
 * its own style, as a stylesheet of the page cannot see a dialog in a shadow tree.
 *
 * @param root - The document's root element.
 * @returns Lets go of it.
 */
export function holdStill(root: HTMLElement): () => void {
  const { style, clientWidth } = root;
  const { overflow, scrollbarGutter } = style;
  const hold = held.get(root) ?? { count: 0, overflow, scrollbarGutter };
  held.set(root, hold);
  if (hold.count++ === 0) {
    const barWidth = (root.ownerDocument.defaultView?.innerWidth ?? 0) - clientWidth;
    if (barWidth > 0) style.scrollbarGutter = 'stable';
    style.overflow = 'hidden';
  }
  return () => {
    if (--hold.count > 0) return;
    held.delete(root);
    Object.assign(style, { overflow: hold.overflow, scrollbarGutter: hold.scrollbarGutter });
  };
}
