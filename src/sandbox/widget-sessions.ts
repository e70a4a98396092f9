import { type BoundedMap, boundedMap } from './bounded-map.js';
import type { VerifiedWidget } from './judge-widget-query.js';
import { type NftOffer, nftOffer } from './nft-offer.js';
import { type Offer, offer } from './offer.js';
import { randomHex } from './random-hex.js';

const MAX_SESSIONS = 1000;

interface OnRampSession {
  readonly widget: 'on-ramp';
  readonly id: string;
  readonly offer: Offer;
}

export interface NftSession {
  readonly widget: 'nft';
  readonly id: string;
  readonly offer: NftOffer;
  /** Of its URL: one signed URL is one purchase, however often it is opened. */
  readonly signature: string;
}

/** One opening of one verified URL. The id, 128 random bits, is the only way to it. */
export type WidgetSession = OnRampSession | NftSession;

export const widgetSessions = (): BoundedMap<WidgetSession> => boundedMap(MAX_SESSIONS);

/** A session for a verified URL; nothing for an NFT that is priced in what is not on the list. */
export function widgetSession({ widget, params }: VerifiedWidget): WidgetSession | undefined {
  const id = randomHex(16);
  if (widget === 'on-ramp') return { widget, id, offer: offer(params) };
  const nft = nftOffer(params);
  return nft && { widget, id, offer: nft, signature: params.signature ?? '' };
}
