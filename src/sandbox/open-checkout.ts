import type { RefusedWidget, VerifiedWidget } from './judge-widget-query.js';
import { nftData } from './nft-data.js';
import { framedRefusal, nftCurrencyRefusal, type Refusal } from './refusals.js';
import type { SandboxOrders } from './sandbox-orders.js';
import { type PageData, sessionData } from './session-data.js';
import { type WidgetSession, widgetSession } from './widget-sessions.js';

/** What comes of a widget URL: a session with what its page may know, or why there is none. */
type Opened =
  | { readonly refusal: Refusal }
  | { readonly session: WidgetSession; readonly data: PageData };

/**
 * Opens the checkout of one widget URL.
 *
 * @param isFramed - Whether it stands in a frame, which a service's own edge wants to be told.
 */
export function openCheckout(
  result: VerifiedWidget | RefusedWidget,
  isFramed: boolean,
  orders: SandboxOrders,
): Opened {
  if (!result.ok) return { refusal: { ...result, status: result.code === 10003 ? 403 : 400 } };
  if (isFramed && result.params.windowOpen !== '1') return { refusal: framedRefusal(result) };
  const session = widgetSession(result);
  if (!session) return { refusal: nftCurrencyRefusal(result) };
  const { id } = session;
  const data =
    session.widget === 'nft'
      ? nftData(id, session.offer, orders.bought(session))
      : sessionData(id, session.offer);
  return { session, data };
}
