import type { RampMessages } from '../messages/RampMessages.js';

/**
 * Returns the texts of a component: those of the page, and English for the others. A page may pass `undefined` for a text
 * that its translator has not written yet.
 */
export function completeMessages<Messages extends object>(
  english: Messages,
  given: Partial<RampMessages> | undefined,
): Messages & Partial<RampMessages> {
  const own = Object.entries(given ?? {}).filter(([, text]) => text != null);
  return { ...english, ...Object.fromEntries(own) };
}
