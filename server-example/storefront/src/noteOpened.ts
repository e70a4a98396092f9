import type { CheckoutEvent } from '@partner-ramp/react';
import { ask, send } from './ask.js';

/** Keeps a checkout that was opened, so that it is under "Your orders" before it is paid. */
export function noteOpened({ type, reference }: CheckoutEvent): void {
  // If this fails, it is there once it is paid.
  if (type === 'opened' && reference)
    ask('/api/orders', send('POST', { reference })).catch(() => {});
}
