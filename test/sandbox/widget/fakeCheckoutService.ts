import { isRampError } from '../../../src/protocol/index.js';
import type { SandboxQuote } from '../../../src/sandbox/catalog/pricing.js';
import type { OrderProgress, OrderStep } from '../../../src/sandbox/orders.js';
import { CheckoutClientError } from '../../../src/sandbox/widget/checkoutClient.js';

interface Rules<Q, O> {
  quote(request: Q, atMs: number): SandboxQuote;
  order(request: O, atMs: number): Omit<OrderProgress, 'orderId' | 'step' | 'payTime'>;
}

/** Creates a fake of the widget's service, without a server. The test advances its orders and its clock. */
export function fakeCheckoutService<Q, O>(rules: Rules<Q, O>) {
  const orders: OrderProgress[] = [];
  let step: OrderStep = 'paid';
  let failure: number | undefined;
  /** The current time of the fake, which determines prices. */
  let atMs = 1_986_217_096_000;
  let quoteCount = 0;
  const respond = async <T>(work: () => T): Promise<T> => {
    if (failure !== undefined) throw new CheckoutClientError(failure);
    try {
      return work();
    } catch (error) {
      throw isRampError(error) ? new CheckoutClientError(400, error.issues) : error;
    }
  };
  const progress = (order: OrderProgress): OrderProgress => ({
    ...order,
    step,
    ...(step !== 'paid' && { deliverTime: 1_986_217_098, txHash: `0x${'ab'.repeat(32)}` }),
    ...(step === 'finished' && { finishTime: 1_986_217_099 }),
  });
  return {
    service: {
      quote: (request: Q) =>
        respond(() => {
          quoteCount += 1;
          return rules.quote(request, atMs);
        }),
      order: (request: O) =>
        respond(() => {
          const order: OrderProgress = {
            orderId: `order-${orders.length}`,
            step: 'paid',
            payTime: 1_986_217_096,
            ...rules.order(request, atMs),
          };
          orders.push(order);
          return progress(order);
        }),
      progress: (id: string) =>
        respond(() => progress(orders.find(({ orderId }) => orderId === id) as OrderProgress)),
    },
    orders,
    step(to: OrderStep) {
      step = to;
    },
    later(ms: number) {
      atMs += ms;
    },
    countQuotes: () => quoteCount,
    /** Makes all later calls fail with this HTTP status. 0: no response. Undefined: calls succeed again. */
    fail(status: number | undefined) {
      failure = status;
    },
    reachable(is: boolean) {
      failure = is ? undefined : 0;
    },
  };
}
