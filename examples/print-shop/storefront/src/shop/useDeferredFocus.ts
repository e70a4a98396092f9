import { useCallback, useRef } from 'react';

/**
 * Returns a ref and a function. After a call of the function, the next element that the ref is attached to gets the
 * focus. Call the function when the focused control is about to be replaced, such as a button to sign in. If the
 * shopper moves the focus before the element appears, the focus stays where it is.
 */
export function useDeferredFocus() {
  const isRequested = useRef(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element || !isRequested.current) return;
    isRequested.current = false;
    // The browser moves the focus to the body when a focused control is removed.
    if (document.activeElement === document.body) element.focus();
  }, []);
  const requestFocus = useCallback(() => {
    isRequested.current = true;
  }, []);
  return [ref, requestFocus] as const;
}
