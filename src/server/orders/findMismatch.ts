import type { NftDetails, Order } from '../../protocol/api/resources.js';
import { compareDecimals, isDecimal } from '../../protocol/decimals.js';
import { isSameAccount } from '../wallets/addressFormats.js';
import type { QuarantineReason } from './store/OrderRecord.js';
import type { Checkout } from './store/OrderStore.js';

/** The first difference between an order and the terms of its checkout. */
export interface Mismatch {
  readonly reason: Exclude<QuarantineReason, 'second-order'>;
  /** The field that differs, such as `walletAddress`. Absent if the order comes from the other widget. */
  readonly field?: string | undefined;
  /** The value that the checkout fixes. Absent if it locks a wallet but names none. */
  readonly expected?: string | undefined;
  /** The order's value. Absent if the order has none. */
  readonly actual?: string | undefined;
}

/**
 * The signed NFT fields that an order returns. The price is not compared, because how an order returns it is not
 * documented.
 */
const NFT_FIELDS = [
  'contractAddress',
  'nftNetwork',
  'type',
  'tokenId',
  'ownerWalletAddress',
  'mintQuantity',
  'transferWalletAddress',
  'merchantUniqueId',
  'merchantOrderNo',
  'externalCustomerId',
] as const satisfies readonly (keyof NftDetails)[];

/**
 * Finds the first difference between an order and the terms of its checkout. It compares the amount and currency that
 * the policy expects, the signed fields of an NFT, and a locked or hidden wallet. Other wallets and default amounts are
 * not compared, because the shopper may change them.
 *
 * `createRamp` has already made this comparison. Call this function to show your staff both values of a quarantined
 * order.
 *
 * @returns Undefined if they do not differ, for example for a `second-order`.
 * @example
 * const checkout = await store.findCheckout(reference);
 * for (const { order } of checkout?.orders ?? []) {
 *   const { field, expected, actual } = findMismatch(order, checkout) ?? {};
 *   console.log(order.orderId, field, expected, actual);
 * }
 */
export function findMismatch(order: Order, checkout: Checkout): Mismatch | undefined {
  if (order.kind !== checkout.widget)
    return { reason: 'widget', ...toValues(checkout.widget, order.kind) };
  const { params, expectedAmount, expectedFiatCurrency } = checkout;
  if (expectedFiatCurrency && order.fiatCurrency !== expectedFiatCurrency)
    return {
      reason: 'currency',
      field: 'fiatCurrency',
      ...toValues(expectedFiatCurrency, order.fiatCurrency),
    };
  if (expectedAmount && !isSameAmount(expectedAmount, order.currencyAmount))
    return {
      reason: 'amount',
      field: 'currencyAmount',
      ...toValues(expectedAmount, order.currencyAmount),
    };
  if (checkout.widget === 'nft') return findNftMismatch(order, params);
  const isLocked = params.walletAddressLocked === '1' || params.walletAddressHidden === '1';
  const { walletAddress: bound = '' } = params;
  const { walletAddress: found = '' } = order;
  if (isLocked && !(bound && isSameAccount(bound, found)))
    return { reason: 'wallet', field: 'walletAddress', ...toValues(bound, found) };
  return undefined;
}

function findNftMismatch(
  { nftDetails }: Order,
  params: Readonly<Record<string, string>>,
): Mismatch | undefined {
  const [details, ...others] = nftDetails;
  if (!details || others.length > 0)
    return {
      reason: 'nft',
      field: 'nftDetails',
      ...toValues('1 NFT', `${nftDetails.length} NFTs`),
    };
  const field = NFT_FIELDS.find((name) => params[name] && !isSame(params[name], details[name]));
  return field && { reason: 'nft', field, ...toValues(params[field], details[field]) };
}

/** Returns both values as text, leaving out a missing one. */
const toValues = (
  expected: string | undefined,
  actual: string | number | undefined,
): Pick<Mismatch, 'expected' | 'actual'> => ({
  ...(expected && { expected }),
  ...(actual !== undefined && actual !== '' && { actual: `${actual}` }),
});

function isSameAmount(bound: string, found: string | undefined): boolean {
  return isDecimal(bound) && isDecimal(found) && compareDecimals(bound, found) === 0;
}

const HEXADECIMAL = /^0x[0-9a-f]+$/i;

/** Compares two values. The case of hexadecimal addresses is ignored, because it is only a checksum. */
function isSame(bound: string | undefined, found: string | number | undefined): boolean {
  if (bound === undefined || found === undefined) return false;
  const text = `${found}`;
  if (HEXADECIMAL.test(bound)) return text.toLowerCase() === bound.toLowerCase();
  return text === bound;
}
