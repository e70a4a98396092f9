import type { CheckoutEvent } from '@partner-ramp/react';
import { requestShop, toRequestInit } from './requestShop.js';

/** Keeps a checkout that was opened, so that it is under "Your orders" before it is paid. */
export function recordCheckout({ type, reference }: CheckoutEvent): void {
  // If this fails, it is there once it is paid.
  if (type === 'opened' && reference)
    requestShop('/api/orders', toRequestInit('POST', { reference })).catch(() => {});
}
