import { randomBytes } from 'node:crypto';
import { type BoundedMap, boundedMap } from './bounded-map.js';
import { type Offer, offer } from './offer.js';

const MAX_SESSIONS = 1000;

/** One opening of one verified URL. The id is the only way to it. */
export interface WidgetSession {
  readonly id: string;
  readonly offer: Offer;
}

export const widgetSessions = (): BoundedMap<WidgetSession> => boundedMap(MAX_SESSIONS);

/** A session for the parameters of a verified on-ramp URL, with an id of 128 random bits. */
export function widgetSession(params: Readonly<Record<string, string>>): WidgetSession {
  return { id: randomBytes(16).toString('base64url'), offer: offer(params) };
}
