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
  /** Of its URL: one signed URL is one purchase, however often it is opened. */
  readonly signature: string;
}

/** One opening of one verified URL. The id, 128 random bits, is the only way to it. */
export type WidgetSession = OnRampSession | NftSession;

export const createSessionStore = (): BoundedMap<WidgetSession> => createBoundedMap(MAX_SESSIONS);

/** A session for a verified URL; nothing for an NFT that is priced in what is not on the list. */
export function createWidgetSession({ widget, params }: VerifiedWidget): WidgetSession | undefined {
  const id = createRandomHex(16);
  if (widget === 'on-ramp') return { widget, id, offer: createOnRampOffer(params) };
  const nft = createNftOffer(params);
  return nft && { widget, id, offer: nft, signature: params.signature ?? '' };
}
