import type { CheckoutDesk } from '../../src/sandbox/checkout-desk.js';
import type { SandboxOrders } from '../../src/sandbox/sandbox-orders.js';
import {
  type CheckoutService,
  type NftService,
  ServiceError,
} from '../../src/sandbox/widget/CheckoutService.js';
import type { WidgetSession } from '../../src/sandbox/widget-sessions.js';
import { toErrorAnswer } from '../../src/server/http-errors.js';

/** What the page asks its server for, answered in the page itself. */
export function pageService(
  session: WidgetSession,
  desk: CheckoutDesk,
  orders: SandboxOrders,
): CheckoutService & NftService {
  const answer = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      const { status, body } = toErrorAnswer(error);
      throw new ServiceError(status, body.error.issues);
    }
  };
  return {
    quote: (purchase: object) => answer(() => desk.quote(session, purchase)),
    order: (request: object) => answer(() => desk.order(session, request)),
    async progress(orderId) {
      const order = orders.find(orderId);
      if (!order) throw new ServiceError(404);
      return order;
    },
  };
}
