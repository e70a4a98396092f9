import * as z from 'zod/mini';
import { createParamsError, type RampIssue } from '../../protocol/errors/RampError.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import { cryptoCurrencies, nftCryptoCurrencies } from '../catalog/cryptoCurrencies.js';
import { fiatCurrencies } from '../catalog/fiatCurrencies.js';
import {
  createNftQuote,
  createOnRampQuote,
  findAmountIssue,
  findNftAmountIssue,
  type Purchase,
  type SandboxQuote,
  type UsdPrice,
} from '../catalog/pricing.js';
import { isSoldFor } from '../catalog/purchaseRules.js';
import type { SandboxOrder } from '../orders.js';

// The parameters of each API operation (service interface, sections 4.2 to 4.5). Values are
// case-sensitive text.

const MAX_SIZE = 100;

const code = z.string({ error: 'is missing' });
const buyType = z.optional(z.enum(['fiat', 'nft'], { error: 'must be fiat or nft' }));
const seconds = code.check(
  z.regex(/^\d{1,11}$/, { error: 'must be a Unix time in whole seconds' }),
);
const { pattern, words } = valueFormats.count;
const count = z.pipe(
  z.string().check(z.regex(pattern, { error: `must be ${words}` })),
  z.transform(Number),
);
const size = count.check(z.lte(MAX_SIZE, { error: `must be at most ${MAX_SIZE}` }));

export const currencyQuery = z.strictObject({});

export const tokenQuery = z.strictObject({ buyType });

export const priceQuery = z.strictObject({
  fiatCurrency: code,
  currencyAmount: code,
  cryptoCurrencyCode: code,
  payment: z.optional(code),
  buyType,
});

export const orderQuery = z
  .strictObject({
    startTime: z.pipe(seconds, z.transform(Number)),
    endTime: z.pipe(seconds, z.transform(Number)),
    page: z._default(count, 1),
    size: z._default(size, 20),
  })
  .check(
    z.refine(({ startTime, endTime }) => startTime <= endTime, {
      error: 'must not be before startTime',
      path: ['endTime'],
    }),
  );

type PriceQuery = z.infer<typeof priceQuery>;
type OrderQuery = z.infer<typeof orderQuery>;

export interface ApiQuote {
  readonly purchase: Purchase;
  readonly price: SandboxQuote;
}

/**
 * Creates the quote for a price query (service interface, section 4.4) at the time `atMs`. Without `payment` the quote
 * uses the first payment option of the fiat currency. The fiat amount must be within the payment option's limits, even
 * for an NFT.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with issues
 */
export function createApiQuote(query: PriceQuery, atMs: number, getUsdPrice?: UsdPrice): ApiQuote {
  const forNft = query.buyType === 'nft';
  const purchase = findPurchase(query, forNft ? nftCryptoCurrencies : cryptoCurrencies);
  const { fiat, option, amount } = purchase;
  if (!forNft) {
    throwAmountIssue(findAmountIssue(fiat, option, amount));
    return { purchase, price: createOnRampQuote(purchase, atMs, getUsdPrice) };
  }
  const { pattern, words } = valueFormats.cryptoAmount;
  if (!pattern.test(amount)) throwAmountIssue(`must be ${words}`);
  const price = createNftQuote(purchase, atMs, getUsdPrice);
  throwAmountIssue(findNftAmountIssue(purchase, price));
  return { purchase, price };
}

function findPurchase(query: PriceQuery, offered: typeof cryptoCurrencies): Purchase {
  const fiat = fiatCurrencies.find(({ code }) => code === query.fiatCurrency);
  const crypto = offered.find(({ code }) => code === query.cryptoCurrencyCode);
  const [first] = fiat?.paymentOptions ?? [];
  const option =
    query.payment === undefined
      ? first
      : fiat?.paymentOptions.find(({ name }) => name === query.payment);
  const issues: RampIssue[] = [];
  if (!fiat)
    issues.push({ param: 'fiatCurrency', message: 'is not in the list of fiat currencies' });
  else if (!option)
    issues.push({ param: 'payment', message: `is not a payment option of ${fiat.code}` });
  if (!crypto)
    issues.push({ param: 'cryptoCurrencyCode', message: 'is not in the list of cryptocurrencies' });
  else if (fiat && !isSoldFor(crypto, fiat))
    issues.push({ param: 'cryptoCurrencyCode', message: `is not sold for ${fiat.code}` });
  if (!fiat || !crypto || !option || issues.length > 0) throw createParamsError(issues);
  return { fiat, crypto, option, amount: query.currencyAmount };
}

function throwAmountIssue(message: string | undefined): void {
  if (message) throw createParamsError([{ param: 'currencyAmount', message }]);
}

/** One page of finished orders (service interface, section 2.5). */
export interface SandboxOrderPage {
  readonly page: number;
  readonly size: number;
  /** The number of orders on all pages. */
  readonly totalCount: number;
  readonly list: readonly SandboxOrder[];
}

/**
 * Returns the page that a query requests (section 4.5): orders finished from `startTime` to `endTime`, both included.
 * Orders are sorted by `finishTime`, so a new order can move only orders that finished in the same second to another
 * page.
 */
export function selectOrderPage(
  orders: readonly SandboxOrder[],
  query: OrderQuery,
): SandboxOrderPage {
  const { startTime, endTime, page, size } = query;
  const found = orders
    .filter(({ finishTime }) => startTime <= finishTime && finishTime <= endTime)
    .sort((a, b) => a.finishTime - b.finishTime || (a.orderId < b.orderId ? -1 : 1));
  return {
    page,
    size,
    totalCount: found.length,
    list: found.slice((page - 1) * size, page * size),
  };
}
