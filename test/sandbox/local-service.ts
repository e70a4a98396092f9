import { isRampError } from '../../src/protocol/index.js';
import { checkOrder, checkPurchase } from '../../src/sandbox/check-purchase.js';
import { offer } from '../../src/sandbox/offer.js';
import type { OrderProgress, OrderStep } from '../../src/sandbox/order-progress.js';
import { quote } from '../../src/sandbox/quote.js';
import { sessionData } from '../../src/sandbox/session-data.js';
import { type CheckoutService, ServiceError } from '../../src/sandbox/widget/CheckoutService.js';

/** The service of one URL without a server: the same rules, and steps that the test takes. */
export function localService(params: Record<string, string>) {
  const offered = offer(params);
  const orders: OrderProgress[] = [];
  let step: OrderStep = 'paid';
  let reachable = true;
  /** Prices are those of this moment. */
  let atMs = 1_986_217_096_000;
  let asked = 0;
  const answer = async <T>(work: () => T): Promise<T> => {
    if (!reachable) throw new ServiceError(0);
    try {
      return work();
    } catch (error) {
      throw isRampError(error) ? new ServiceError(400, error.issues) : error;
    }
  };
  const progress = (order: OrderProgress): OrderProgress => ({
    ...order,
    step,
    ...(step !== 'paid' && { deliverTime: 1_986_217_098, txHash: `0x${'ab'.repeat(32)}` }),
    ...(step === 'finished' && { finishTime: 1_986_217_099 }),
  });
  const service: CheckoutService = {
    quote: (request) =>
      answer(() => {
        asked += 1;
        return quote(checkPurchase(offered, request), atMs);
      }),
    order: (request) =>
      answer(() => {
        const terms = checkOrder(offered, request);
        const order: OrderProgress = {
          orderId: `order-${orders.length}`,
          step: 'paid',
          payTime: 1_986_217_096,
          ...quote(terms, atMs),
          ...(!offered.walletHidden && { walletAddress: terms.walletAddress }),
        };
        orders.push(order);
        return progress(order);
      }),
    progress: (id) =>
      answer(() => progress(orders.find(({ orderId }) => orderId === id) as OrderProgress)),
  };
  return {
    session: sessionData('an-id', offered),
    service,
    orders,
    step(to: OrderStep) {
      step = to;
    },
    later(ms: number) {
      atMs += ms;
    },
    /** How many quotes were asked for. */
    asked: () => asked,
    reachable(is: boolean) {
      reachable = is;
    },
  };
}
