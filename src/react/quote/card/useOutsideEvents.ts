import { type RefObject, useEffect } from 'react';

const OUTSIDE_EVENTS = ['click', 'focusin'];

/**
 * Calls `onOutside` when a click or the focus moves outside the box.
 *
 * @param inside - The events in the box. Events are retargeted at shadow boundaries, so their target does not show it.
 */
export function useOutsideEvents(
  box: RefObject<HTMLElement | null>,
  inside: WeakSet<Event>,
  onOutside: (refocus: boolean) => void,
): void {
  useEffect(() => {
    const page = box.current?.ownerDocument as Document;
    const onOutsideEvent = (event: Event) => {
      if (inside.has(event)) return;
      // By the time of a click the focus has moved already: to a control, or to the body, where it would be lost.
      onOutside(event.type === 'click' && page.activeElement === page.body);
    };
    // Focus changes within a shadow tree emit no event outside of it.
    const roots = new Set([page, box.current?.getRootNode() as Node]);
    const controller = new AbortController();
    for (const root of roots)
      for (const type of OUTSIDE_EVENTS) root.addEventListener(type, onOutsideEvent, controller);
    return () => controller.abort();
  });
}
