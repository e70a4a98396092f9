import { type BoundedMap, createBoundedMap } from '../../internal/createBoundedMap.js';
import { createRandomHex } from '../../internal/createRandomHex.js';
import { createNftOffer, type NftOffer } from '../offers/createNftOffer.js';
import { createOnRampOffer, type OnRampOffer } from '../offers/createOnRampOffer.js';
import type { VerifiedWidget } from '../verification/validateWidgetQuery.js';

const MAX_SESSIONS = 1000;

interface OnRampSession {
  readonly widget: 'on-ramp';
  readonly id: string;
  readonly offer: OnRampOffer;
}

export interface NftSession {
  readonly widget: 'nft';
  readonly id: string;
  readonly offer: NftOffer;
  /** The signature of its URL. One signed URL is one purchase, even if it is opened several times. */
  readonly signature: string;
}

/** One opening of a verified URL. Requests find it only by its ID of 128 random bits. */
export type WidgetSession = OnRampSession | NftSession;

export const createSessionStore = (): BoundedMap<WidgetSession> => createBoundedMap(MAX_SESSIONS);

/** Creates a session for a verified URL, or returns `undefined` when NFTs are not priced in its currency. */
export function createWidgetSession({ widget, params }: VerifiedWidget): WidgetSession | undefined {
  const id = createRandomHex(16);
  if (widget === 'on-ramp') return { widget, id, offer: createOnRampOffer(params) };
  const nft = createNftOffer(params);
  return nft && { widget, id, offer: nft, signature: params.signature ?? '' };
}
