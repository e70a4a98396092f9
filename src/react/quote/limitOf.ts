import type { PaymentOption } from '../../protocol/resources.js';
import { compareDecimals, isDecimal } from './compareDecimals.js';

/** The limit that an amount is beyond. */
export interface AmountLimit {
  readonly status: 'below' | 'above';
  /** The least or the most that may be paid. */
  readonly limit: string;
}

/** Whether an amount is outside the limits of a payment method, which may have none. */
export function limitOf(
  amount: string,
  { minAmount, maxAmount }: Partial<PaymentOption> = {},
): AmountLimit | undefined {
  if (isDecimal(minAmount) && compareDecimals(amount, minAmount) < 0)
    return { status: 'below', limit: minAmount };
  if (isDecimal(maxAmount) && compareDecimals(amount, maxAmount) > 0)
    return { status: 'above', limit: maxAmount };
  return undefined;
}
