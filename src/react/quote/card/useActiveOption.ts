import { type RefObject, useEffect, useState } from 'react';

/**
 * Keeps the index of the active option, and scrolls it into view.
 *
 * @returns The index; a function that sets it without scrolling, for the pointer; and a function that also scrolls.
 */
export function useActiveOption(box: RefObject<HTMLElement | null>, findInitial: () => number) {
  const [activeIndex, setActiveIndex] = useState(findInitial);
  const [scrolledIndex, setScrolledIndex] = useState(activeIndex);
  useEffect(() => {
    box.current
      ?.querySelectorAll('[role="option"]')
      [scrolledIndex]?.scrollIntoView?.({ block: 'nearest' });
  }, [box, scrolledIndex]);
  const show = (next: number) => {
    setActiveIndex(next);
    setScrolledIndex(next);
  };
  return [activeIndex, setActiveIndex, show] as const;
}
