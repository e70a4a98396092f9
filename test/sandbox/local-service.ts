import {
  checkOrder,
  checkPurchase,
  type OrderRequest,
  type PurchaseRequest,
} from '../../src/sandbox/check-purchase.js';
import { createOnRampOffer } from '../../src/sandbox/offer.js';
import { createOnRampQuote } from '../../src/sandbox/quote.js';
import { toOnRampPageData } from '../../src/sandbox/session-data.js';
import { fakeCheckoutService } from './stand-in.js';

/** The service of one on-ramp URL without a server: the same rules. */
export function localService(params: Record<string, string>) {
  const offered = createOnRampOffer(params);
  const local = fakeCheckoutService<PurchaseRequest, OrderRequest>({
    quote: (request, atMs) => createOnRampQuote(checkPurchase(offered, request), atMs),
    order(request, atMs) {
      const terms = checkOrder(offered, request);
      const { walletAddress } = terms;
      return { ...createOnRampQuote(terms, atMs), ...(!offered.walletHidden && { walletAddress }) };
    },
  });
  return { ...local, session: toOnRampPageData('an-id', offered) };
}
