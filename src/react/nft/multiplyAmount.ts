import { isDecimal } from '../../protocol/compareDecimals.js';

/**
 * A decimal string so many times, exactly: `multiplyAmount('0.05', 3)` is `'0.15'`. What is none stays as it
 * is, as the page wrote it: a price is never made up.
 */
export function multiplyAmount(amount: string, count: number): string {
  if (!isDecimal(amount)) return amount;
  const [whole = '', fraction = ''] = amount.split('.');
  const units = `${BigInt(whole + fraction) * BigInt(count)}`.padStart(fraction.length + 1, '0');
  const point = units.length - fraction.length;
  return fraction ? `${units.slice(0, point)}.${units.slice(point)}` : units;
}
