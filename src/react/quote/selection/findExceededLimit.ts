import type { PaymentOption } from '../../../protocol/api/resources.js';
import { compareAmounts, isDecimal } from '../../../protocol/decimals.js';

/** An exceeded limit. */
export interface AmountLimit {
  readonly status: 'below' | 'above';
  /** The minimum or maximum payment. */
  readonly limit: string;
}

/** Returns the limit of a payment method that an amount exceeds. A method may have no limits. */
export function findExceededLimit(
  amount: string,
  { minAmount, maxAmount }: Partial<PaymentOption> = {},
): AmountLimit | undefined {
  if (isDecimal(minAmount) && compareAmounts(amount, minAmount) < 0)
    return { status: 'below', limit: toPayableLimit(minAmount, 1n) };
  if (isDecimal(maxAmount) && compareAmounts(amount, maxAmount) > 0)
    return { status: 'above', limit: toPayableLimit(maxAmount, 0n) };
  return undefined;
}

/**
 * Rounds a limit to an amount that can be paid: at most two decimals (docs/service-interface.md section 2),
 * without trailing zeros.
 */
function toPayableLimit(limit: string, roundUp: 0n | 1n): string {
  const [whole = '', fraction = ''] = limit.split('.');
  const hasRest = /[1-9]/.test(fraction.slice(2));
  const cents = BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')) + (hasRest ? roundUp : 0n);
  const text = `${cents}`.padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, '');
}
