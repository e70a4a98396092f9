import type { CheckoutService } from '../../src/sandbox/checkout/createCheckoutService.js';
import type { WidgetSession } from '../../src/sandbox/checkout/widgetSession.js';
import type { SandboxOrders } from '../../src/sandbox/orders.js';
import {
  type CheckoutClient,
  CheckoutClientError,
  type NftCheckoutClient,
  type SignInClient,
} from '../../src/sandbox/widget/checkoutClient.js';
import { toErrorResponse } from '../../src/server/internal/errorResponses.js';

/** Creates the client from which the widget gets quotes and orders. It computes them in the page, without a server. */
export function createPageService(
  session: WidgetSession,
  service: CheckoutService,
  orders: SandboxOrders,
): CheckoutClient & NftCheckoutClient & SignInClient {
  const toServiceResult = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      const { status, body } = toErrorResponse(error);
      throw new CheckoutClientError(status, body.error.issues);
    }
  };
  return {
    quote: (purchase: object) => toServiceResult(() => service.quote(session, purchase)),
    order: (request: object) => toServiceResult(() => service.order(session, request)),
    async progress(orderId) {
      const order = orders.find(orderId);
      if (!order) throw new CheckoutClientError(404);
      return order;
    },
    // There is no service whose cookie a browser could block.
    signIn: async () => true,
  };
}
