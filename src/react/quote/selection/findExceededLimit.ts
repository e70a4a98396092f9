import type { PaymentOption } from '../../../protocol/api/resources.js';
import { compareDecimals } from '../../../protocol/decimal/compareDecimals.js';
import { isDecimal } from '../../../protocol/decimal/parseDecimal.js';

/** The limit that an amount is beyond. */
export interface AmountLimit {
  readonly status: 'below' | 'above';
  /** The least or the most that may be paid. */
  readonly limit: string;
}

/** Whether an amount is outside the limits of a payment method, which may have none. */
export function findExceededLimit(
  amount: string,
  { minAmount, maxAmount }: Partial<PaymentOption> = {},
): AmountLimit | undefined {
  if (isDecimal(minAmount) && compareDecimals(amount, minAmount) < 0)
    return { status: 'below', limit: toPayableLimit(minAmount, 1n) };
  if (isDecimal(maxAmount) && compareDecimals(amount, maxAmount) > 0)
    return { status: 'above', limit: toPayableLimit(maxAmount, 0n) };
  return undefined;
}

/** A limit as an amount that may be paid: at most two decimals (section 8), none that say nothing. */
function toPayableLimit(limit: string, roundUp: 0n | 1n): string {
  const [whole = '', fraction = ''] = limit.split('.');
  const hasRest = /[1-9]/.test(fraction.slice(2));
  const cents = BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')) + (hasRest ? roundUp : 0n);
  const text = `${cents}`.padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, '');
}
