import { countFractionDigits, formatUnits, isDecimal } from '../../protocol/decimals.js';

/**
 * Multiplies an amount exactly: `multiplyAmount('0.05', 3)` is `'0.15'`. Returns anything that is not a plain
 * decimal unchanged: it never invents a price.
 */
export const multiplyAmount = (amount: string, count: number): string =>
  isDecimal(amount)
    ? formatUnits(BigInt(amount.replace('.', '')) * BigInt(count), countFractionDigits(amount))
    : amount;
