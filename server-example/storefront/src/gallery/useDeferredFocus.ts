import { useCallback, useRef } from 'react';

/** Returns a ref, and a function that focuses the next element that the ref is attached to. */
export function useDeferredFocus() {
  const isRequested = useRef(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element || !isRequested.current) return;
    isRequested.current = false;
    element.focus();
  }, []);
  const requestFocus = useCallback(() => {
    isRequested.current = true;
  }, []);
  return [ref, requestFocus] as const;
}
