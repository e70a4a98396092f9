import type { RampMessages } from '../messages/RampMessages.js';

/**
 * Returns a component's texts: the page's own, and English for those that the page leaves out. A page may pass
 * `undefined` for a text that its translator has not written yet.
 */
export function completeMessages<Messages extends object>(
  english: Messages,
  given: Partial<RampMessages> | undefined,
): Messages & Partial<RampMessages> {
  const own = Object.entries(given ?? {}).filter(([, text]) => text != null);
  return { ...english, ...Object.fromEntries(own) };
}
