import type { SandboxOrders } from '../../orders/createSandboxOrders.js';
import type { RefusedWidget, VerifiedWidget } from '../verification/validateWidgetQuery.js';
import { createWidgetSession, type WidgetSession } from './createWidgetSession.js';
import { toNftPageData } from './NftPageData.js';
import { type PageData, toOnRampPageData } from './OnRampPageData.js';
import { createFramedRefusal, createNftCurrencyRefusal, type Refusal } from './Refusal.js';

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
