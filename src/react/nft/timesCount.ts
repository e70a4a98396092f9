/** A decimal string so many times, exactly: `timesCount('0.05', 3)` is `'0.15'`. */
export function timesCount(amount: string, count: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const units = `${BigInt(whole + fraction) * BigInt(count)}`.padStart(fraction.length + 1, '0');
  const point = units.length - fraction.length;
  return fraction ? `${units.slice(0, point)}.${units.slice(point)}` : units;
}
