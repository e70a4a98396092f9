import { type BoundedMap, createBoundedMap, createRandomHex } from '../memory.js';
import type { SandboxOrders } from '../orders.js';
import { createNftOffer, createOnRampOffer, type NftOffer, type OnRampOffer } from './offers.js';
import { type PageData, toNftPageData, toOnRampPageData } from './pageData.js';
import { createFramedRefusal, createNftCurrencyRefusal, type Refusal } from './refusal.js';
import type { RefusedWidget, VerifiedWidget } from './validateWidgetQuery.js';

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
  /**
   * The signature of the session's URL. It identifies the purchase: a signed NFT URL can be paid only once, even if it
   * is opened several times.
   */
  readonly signature: string;
}

/** One opening of a verified URL. A request finds the session only by its ID, which has 128 bits. */
export type WidgetSession = OnRampSession | NftSession;

export const createSessionStore = (): BoundedMap<WidgetSession> => createBoundedMap(MAX_SESSIONS);

/** Creates a session for a verified URL, or returns `undefined` when NFTs cannot be priced in the URL's currency. */
function createWidgetSession(
  { widget, params }: VerifiedWidget,
  id: string,
): WidgetSession | undefined {
  if (widget === 'on-ramp') return { widget, id, offer: createOnRampOffer(params) };
  const nft = createNftOffer(params);
  return nft && { widget, id, offer: nft, signature: params.signature ?? '' };
}

export type OpenResult =
  | { readonly refusal: Refusal }
  | { readonly session: WidgetSession; readonly data: PageData };

/**
 * Opens the checkout of one widget URL.
 *
 * @param isFramed - Whether the URL was opened in a frame. If so, the URL must contain `windowOpen=1`, or `windowopen=1`:
 * the service's documentation uses both spellings.
 * @param createId - Returns the ID of the new session: 128 bits, hexadecimal.
 */
export function openWidgetSession(
  result: VerifiedWidget | RefusedWidget,
  isFramed: boolean,
  orders: SandboxOrders,
  createId = () => createRandomHex(16),
): OpenResult {
  if (!result.ok) return { refusal: { ...result, status: result.code === 10003 ? 403 : 400 } };
  const { windowOpen, windowopen = windowOpen } = result.params;
  if (isFramed && windowopen !== '1') return { refusal: createFramedRefusal(result) };
  const session = createWidgetSession(result, createId());
  if (!session) return { refusal: createNftCurrencyRefusal(result) };
  const { id } = session;
  const data =
    session.widget === 'nft'
      ? toNftPageData(id, session.offer, orders.findByUrl(session))
      : toOnRampPageData(id, session.offer);
  return { session, data };
}
