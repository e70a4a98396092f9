import { createOnRampQuote } from '../../../src/sandbox/catalog/pricing.js';
import {
  checkOrder,
  checkPurchase,
  type OrderRequest,
  type PurchaseRequest,
} from '../../../src/sandbox/checkout/checkPurchase.js';
import { createOnRampOffer } from '../../../src/sandbox/checkout/offers.js';
import { toOnRampPageData } from '../../../src/sandbox/checkout/pageData.js';
import { fakeCheckoutService } from './fakeCheckoutService.js';

/** Creates a fake service for an on-ramp URL with these parameters. Prices and checks are those of the sandbox. */
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
