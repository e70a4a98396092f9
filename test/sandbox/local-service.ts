import {
  checkOrder,
  checkPurchase,
  type OrderRequest,
  type PurchaseRequest,
} from '../../src/sandbox/check-purchase.js';
import { offer } from '../../src/sandbox/offer.js';
import { quote } from '../../src/sandbox/quote.js';
import { sessionData } from '../../src/sandbox/session-data.js';
import { standIn } from './stand-in.js';

/** The service of one on-ramp URL without a server: the same rules. */
export function localService(params: Record<string, string>) {
  const offered = offer(params);
  const local = standIn<PurchaseRequest, OrderRequest>({
    quote: (request, atMs) => quote(checkPurchase(offered, request), atMs),
    order(request, atMs) {
      const terms = checkOrder(offered, request);
      const { walletAddress } = terms;
      return { ...quote(terms, atMs), ...(!offered.walletHidden && { walletAddress }) };
    },
  });
  return { ...local, session: sessionData('an-id', offered) };
}
