import { CheckoutClientError } from './CheckoutClient.js';

/** The key of the text that explains a failed call to the shopper. */
export type Problem = 'paymentRejected' | 'sessionExpired' | 'alreadyPaid' | 'serviceUnavailable';

const problems: Readonly<Record<number, Problem>> = {
  400: 'paymentRejected',
  404: 'sessionExpired',
  409: 'alreadyPaid',
};

export function toProblem(error: unknown): Problem {
  const status = error instanceof CheckoutClientError ? error.status : 0;
  return problems[status] ?? 'serviceUnavailable';
}
