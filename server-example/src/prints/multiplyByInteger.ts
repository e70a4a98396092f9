/** A decimal string times a whole number, with every digit: 0.1 times 3 is 0.3. */
export function multiplyByInteger(decimal: string, factor: number): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const product = `${BigInt(whole + fraction) * BigInt(factor)}`.padStart(fraction.length + 1, '0');
  const point = product.length - fraction.length;
  const rest = product.slice(point).replace(/0+$/, '');
  return product.slice(0, point) + (rest && `.${rest}`);
}
