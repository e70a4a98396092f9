import { useCallback, useRef } from 'react';

/** A ref that takes the focus when its element appears, once it has been asked to. */
export function useDeferredFocus() {
  const isWanted = useRef(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element || !isWanted.current) return;
    isWanted.current = false;
    element.focus();
  }, []);
  const soon = useCallback(() => {
    isWanted.current = true;
  }, []);
  return [ref, soon] as const;
}
