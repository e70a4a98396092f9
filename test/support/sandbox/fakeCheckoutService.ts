import { isRampError } from '../../../src/protocol/index.js';
import type { SandboxQuote } from '../../../src/sandbox/catalog/pricing/createOnRampQuote.js';
import type { OrderProgress, OrderStep } from '../../../src/sandbox/orders/OrderProgress.js';
import { CheckoutClientError } from '../../../src/sandbox/widget/client/CheckoutClient.js';

/** The rules of one session, at one moment of the clock. */
interface Rules<Q, O> {
  quote(request: Q, atMs: number): SandboxQuote;
  order(request: O, atMs: number): Omit<OrderProgress, 'orderId' | 'step' | 'payTime'>;
}

/** A service without a server: the rules that it is given, and steps that the test takes. */
export function fakeCheckoutService<Q, O>(rules: Rules<Q, O>) {
  const orders: OrderProgress[] = [];
  let step: OrderStep = 'paid';
  let failure: number | undefined;
  /** Prices are those of this moment. */
  let atMs = 1_986_217_096_000;
  let asked = 0;
  const answer = async <T>(work: () => T): Promise<T> => {
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
        answer(() => {
          asked += 1;
          return rules.quote(request, atMs);
        }),
      order: (request: O) =>
        answer(() => {
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
        answer(() => progress(orders.find(({ orderId }) => orderId === id) as OrderProgress)),
    },
    orders,
    step(to: OrderStep) {
      step = to;
    },
    later(ms: number) {
      atMs += ms;
    },
    /** How many quotes were asked for. */
    asked: () => asked,
    /** Answers everything with this status from now on; 0 is no answer at all. */
    fail(status: number | undefined) {
      failure = status;
    },
    reachable(is: boolean) {
      failure = is ? undefined : 0;
    },
  };
}
