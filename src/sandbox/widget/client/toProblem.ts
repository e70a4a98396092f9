import { CheckoutClientError } from './CheckoutClient.js';

/** What a failed call means to the shopper, as the name of its text. */
export type Problem = 'refused' | 'ended' | 'bought' | 'offline';

const problems: Readonly<Record<number, Problem>> = { 400: 'refused', 404: 'ended', 409: 'bought' };

export function toProblem(error: unknown): Problem {
  const status = error instanceof CheckoutClientError ? error.status : 0;
  return problems[status] ?? 'offline';
}
