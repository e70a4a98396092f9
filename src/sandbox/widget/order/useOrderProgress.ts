import { useEffect, useState } from 'react';
import type { OrderProgress } from '../../orders.js';
import type { CheckoutClient } from '../client/CheckoutClient.js';

const POLL_MS = 250;

/** Polls an order until it is finished. Failed requests are ignored, because the next one may succeed. */
export function useOrderProgress(
  client: CheckoutClient,
  placed: OrderProgress | undefined,
): OrderProgress | undefined {
  const [seen, setSeen] = useState<OrderProgress>();
  const order = seen && seen.orderId === placed?.orderId ? seen : placed;
  const orderId = order?.orderId;
  const finished = order?.step === 'finished';

  useEffect(() => {
    if (!orderId || finished) return;
    let timer: ReturnType<typeof setTimeout>;
    let live = true;
    const poll = async () => {
      const next = await client.progress(orderId).catch(() => undefined);
      if (!live) return;
      if (next) setSeen(next);
      timer = setTimeout(poll, POLL_MS);
    };
    timer = setTimeout(poll, POLL_MS);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [client, orderId, finished]);

  return order;
}
