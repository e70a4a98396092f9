import type { CheckoutResponse } from '@partner-ramp/react';
import { useEffect, useState } from 'react';
import { requestShop } from '../shop/requestShop.js';

/** What the shop knows of a checkout, as `/api/orders` returns it. */
export interface OrderPrint {
  readonly reference: string;
  /** Undefined for a top-up. */
  readonly print?: { readonly number: string; readonly title: string; readonly quantity: number };
  /** Whether the shopper paid for a print that was already sold. */
  readonly isSoldBefore: boolean;
}

/**
 * Returns the print of a checkout, or `undefined` until a request for it succeeds. The print is requested again when
 * the progress changes, and when the shop has resolved a case of the checkout.
 */
export function useOrderPrint(checkout: CheckoutResponse | undefined): OrderPrint | undefined {
  const { reference, progress, resolution } = checkout ?? {};
  const [order, setOrder] = useState<OrderPrint>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a payment tells whether the print was sold before
  useEffect(() => {
    if (!reference) return;
    let isCurrent = true;
    requestPrint(reference).then(
      (found) => isCurrent && found && setOrder(found),
      // Ignore the error: the card then shows the checkout without its print.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [reference, progress, resolution]);
  // `order` belongs to the previous checkout until the next checkout's order has loaded.
  return order?.reference === reference ? order : undefined;
}

/** The maximum number of references in one request. The server refuses a request with more. */
const MAX_REFERENCES = 50;

type Batch = { readonly references: string[]; readonly orders: Promise<readonly OrderPrint[]> };

let batch: Batch | undefined;

/**
 * Requests the print of a checkout. Cards that are rendered together share one request, up to MAX_REFERENCES of them.
 */
async function requestPrint(reference: string): Promise<OrderPrint | undefined> {
  if (!batch || batch.references.length === MAX_REFERENCES) batch = startBatch();
  batch.references.push(reference);
  return (await batch.orders).find((order) => order.reference === reference);
}

function startBatch(): Batch {
  const references: string[] = [];
  const orders = new Promise((done) => setTimeout(done)).then(async () => {
    batch = undefined;
    const query = encodeURIComponent(references.join());
    return (await requestShop<{ orders: readonly OrderPrint[] }>(`/api/orders?references=${query}`))
      .orders;
  });
  return { references, orders };
}
