import type { NftDetails, Order } from '../../protocol/api/resources.js';
import { compareDecimals, isDecimal } from '../../protocol/decimals.js';
import { isSameAccount } from '../wallets/addressFormats.js';
import type { QuarantineReason } from './store/OrderRecord.js';
import type { Checkout } from './store/OrderStore.js';

export interface Mismatch {
  readonly reason: QuarantineReason;
  readonly field?: string | undefined;
}

/**
 * The signed fields of an NFT that its order returns. The price is not compared, because it is not documented how an
 * order returns it.
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
 * Finds the first difference between an order and the terms of its checkout. It compares the amount and currency that the
 * policy expects, the signed fields of an NFT, and a locked or hidden wallet. Other wallets and default amounts are not
 * compared, because the shopper may change them.
 */
export function findMismatch(order: Order, checkout: Checkout): Mismatch | undefined {
  if (order.kind !== checkout.widget) return { reason: 'widget' };
  const { params, expectedAmount, expectedFiatCurrency } = checkout;
  if (expectedFiatCurrency && order.fiatCurrency !== expectedFiatCurrency)
    return { reason: 'currency', field: 'fiatCurrency' };
  if (expectedAmount && !isSameAmount(expectedAmount, order.currencyAmount))
    return { reason: 'amount', field: 'currencyAmount' };
  if (checkout.widget === 'nft') return findNftMismatch(order, params);
  const isLocked = params.walletAddressLocked === '1' || params.walletAddressHidden === '1';
  const { walletAddress: bound = '' } = params;
  const { walletAddress: found = '' } = order;
  if (isLocked && !(bound && isSameAccount(bound, found)))
    return { reason: 'wallet', field: 'walletAddress' };
  return undefined;
}

function findNftMismatch(
  { nftDetails }: Order,
  params: Readonly<Record<string, string>>,
): Mismatch | undefined {
  const [details, ...others] = nftDetails;
  if (!details || others.length > 0) return { reason: 'nft', field: 'nftDetails' };
  const field = NFT_FIELDS.find((name) => params[name] && !isSame(params[name], details[name]));
  return field && { reason: 'nft', field };
}

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
