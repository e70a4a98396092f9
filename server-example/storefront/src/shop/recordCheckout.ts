import type { CheckoutEvent } from '@partner-ramp/react';
import { requestShop, toRequestInit } from './requestShop.js';

/** Records an opened checkout at the shop, so that "Your orders" lists it before it is paid. */
export function recordCheckout({ type, reference }: CheckoutEvent): void {
  // If this fails, the checkout is listed once it is paid.
  if (type === 'opened' && reference)
    requestShop('/api/orders', toRequestInit('POST', { reference })).catch(() => {});
}
