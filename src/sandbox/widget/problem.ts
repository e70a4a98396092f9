import { ServiceError } from './CheckoutService.js';

/** What a failed call means to the shopper, as the name of its text. */
export type Problem = 'refused' | 'ended' | 'offline';

export function problemOf(error: unknown): Problem {
  const status = error instanceof ServiceError ? error.status : 0;
  return status === 400 ? 'refused' : status === 404 ? 'ended' : 'offline';
}
