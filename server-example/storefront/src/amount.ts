export const currencies = ['USD', 'EUR'] as const;
export type Currency = (typeof currencies)[number];

/** Amounts that are offered at a press. */
export const offered = ['50', '100', '250', '500'] as const;

/** What the shopper typed as the checkout takes it, or nothing when it is no amount. */
export function toAmount(typed: string): string | undefined {
  const amount = typed
    .trim()
    .replace(',', '.')
    .replace(/^0+(?=\d)/, '');
  return /^\d{1,6}(?:\.\d{1,2})?$/.test(amount) && Number(amount) > 0 ? amount : undefined;
}

/** A whole amount with its sign, such as $100. */
export function inCurrency(amount: string, currency: Currency): string {
  const options = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat('en', options).format(Number(amount));
}

/** The sign of a currency alone. */
export function signOf(currency: Currency): string {
  return inCurrency('0', currency).replace(/[\d\s]/g, '');
}
