import { type RefObject, useLayoutEffect } from 'react';

/** On a screen of this size the list fills the screen, as in `quoteList.css`. Elsewhere it is beside its row. */
const SMALL_SCREEN = '(max-width: 480px), (max-height: 480px)';
/** The space between the row and the list, and between the list and the edge of the window. */
const GAP = 8;

/**
 * Shows a `<dialog>` in the top layer, where no ancestor clips, moves or covers it: as a popover below or above its
 * parent, or on a small screen as a modal dialog. In a browser without popovers it is always modal.
 */
export function useTopLayer(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const list = dialog.current;
    const row = list?.parentElement;
    const page = list?.ownerDocument.defaultView;
    if (!list || !row || !page) return;
    // jsdom has no matchMedia().
    const smallScreen = page.matchMedia?.(SMALL_SCREEN);
    let hide = show(list, row, page, smallScreen?.matches);
    const showAgain = () => {
      hide();
      hide = show(list, row, page, smallScreen?.matches);
      list.querySelector('input')?.focus();
    };
    smallScreen?.addEventListener('change', showAgain);
    return () => {
      smallScreen?.removeEventListener('change', showAgain);
      hide();
    };
  }, [dialog]);
}

/** Shows the dialog, and returns a function that hides it. */
function show(
  dialog: HTMLDialogElement,
  row: Element,
  page: Window,
  fillsScreen = false,
): () => void {
  const hide = fillsScreen ? showModal(dialog) : showPopover(dialog);
  if (fillsScreen) return hide;
  const height = dialog.offsetHeight;
  const place = () => placeBeside(dialog, row, page.document.documentElement, height);
  place();
  page.addEventListener('resize', place);
  // With `capture`, the list also follows its row when an ancestor scrolls.
  page.addEventListener('scroll', place, true);
  return () => {
    page.removeEventListener('resize', place);
    page.removeEventListener('scroll', place, true);
    dialog.removeAttribute('style');
    hide();
  };
}

function showModal(dialog: HTMLDialogElement): () => void {
  // jsdom has no showModal().
  if (typeof dialog.showModal !== 'function') {
    dialog.setAttribute('open', '');
    return () => dialog.removeAttribute('open');
  }
  dialog.showModal();
  return () => dialog.close();
}

function showPopover(dialog: HTMLDialogElement): () => void {
  if (typeof dialog.showPopover !== 'function') return showModal(dialog);
  dialog.popover = 'manual';
  dialog.showPopover();
  return () => {
    dialog.hidePopover();
    dialog.removeAttribute('popover');
  };
}

/** Places the list below the row, with its width, or above it if there is more room. */
function placeBeside(list: HTMLElement, row: Element, root: Element, height: number): void {
  const { top, bottom, left, width } = row.getBoundingClientRect();
  const roomAbove = top - 2 * GAP;
  const roomBelow = root.clientHeight - bottom - 2 * GAP;
  const isBelow = roomBelow >= Math.min(height, roomAbove);
  list.style.left = `${left}px`;
  list.style.width = `${width}px`;
  list.style.top = isBelow ? `${bottom + GAP}px` : 'auto';
  list.style.bottom = isBelow ? 'auto' : `${root.clientHeight - top + GAP}px`;
  list.style.maxHeight = `${Math.max(0, Math.min(height, isBelow ? roomBelow : roomAbove))}px`;
}
