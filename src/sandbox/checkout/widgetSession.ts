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
  /** The signature of its URL. One signed URL is one purchase, even if it is opened several times. */
  readonly signature: string;
}

/** One opening of a verified URL. Requests find it only by its ID of 128 random bits. */
export type WidgetSession = OnRampSession | NftSession;

export const createSessionStore = (): BoundedMap<WidgetSession> => createBoundedMap(MAX_SESSIONS);

/** Creates a session for a verified URL, or returns `undefined` when NFTs are not priced in its currency. */
function createWidgetSession({ widget, params }: VerifiedWidget): WidgetSession | undefined {
  const id = createRandomHex(16);
  if (widget === 'on-ramp') return { widget, id, offer: createOnRampOffer(params) };
  const nft = createNftOffer(params);
  return nft && { widget, id, offer: nft, signature: params.signature ?? '' };
}

/** The result of opening a widget URL: a session with the data of its page, or a refusal. */
type OpenResult =
  | { readonly refusal: Refusal }
  | { readonly session: WidgetSession; readonly data: PageData };

/**
 * Opens the checkout of one widget URL.
 *
 * @param isFramed - Whether a frame requested it. Services can require `windowOpen=1` then.
 * @param windowOpenName - The name of that parameter at this service.
 */
export function openWidgetSession(
  result: VerifiedWidget | RefusedWidget,
  isFramed: boolean,
  orders: SandboxOrders,
  windowOpenName = 'windowOpen',
): OpenResult {
  if (!result.ok) return { refusal: { ...result, status: result.code === 10003 ? 403 : 400 } };
  if (isFramed && result.params[windowOpenName] !== '1')
    return { refusal: createFramedRefusal(result, windowOpenName) };
  const session = createWidgetSession(result);
  if (!session) return { refusal: createNftCurrencyRefusal(result) };
  const { id } = session;
  const data =
    session.widget === 'nft'
      ? toNftPageData(id, session.offer, orders.findByUrl(session))
      : toOnRampPageData(id, session.offer);
  return { session, data };
}
