/** Creates the keyboard actions of a list. */
export const createListKeys = (
  index: number,
  last: number,
  show: (index: number) => void,
  choose: () => void,
  close: (refocus: boolean) => void,
): Readonly<Record<string, () => void>> => ({
  ArrowDown: () => show(index < last ? index + 1 : 0),
  ArrowUp: () => show(index > 0 ? index - 1 : last),
  Home: () => show(0),
  End: () => show(last),
  PageDown: () => show(Math.min(index + 5, last)),
  PageUp: () => show(Math.max(index - 5, 0)),
  Enter: choose,
  Escape: () => close(true),
});
