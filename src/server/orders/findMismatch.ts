import type { NftDetails, Order } from '../../protocol/api/resources.js';
import { compareDecimals } from '../../protocol/decimal/compareDecimals.js';
import { isDecimal } from '../../protocol/decimal/parseDecimal.js';
import type { CheckoutIntent } from './store/CheckoutStore.js';
import type { QuarantineReason } from './store/OrderRecord.js';

export interface Mismatch {
  readonly reason: QuarantineReason;
  readonly field?: string | undefined;
}

/** What of an NFT is signed and comes back with its order. How its price does is not known. */
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
 * In what an order differs from what its intent bound: the signed fields of an NFT, a locked wallet, the
 * amount and currency that the policy expected. A wallet that was not locked and an amount that was a
 * mere default are the shopper's to change.
 */
export function findMismatch(order: Order, intent: CheckoutIntent): Mismatch | undefined {
  if (order.kind !== intent.widget) return { reason: 'widget' };
  const { params, expectedAmount, expectedFiatCurrency } = intent;
  if (expectedFiatCurrency && order.fiatCurrency !== expectedFiatCurrency)
    return { reason: 'currency', field: 'fiatCurrency' };
  if (expectedAmount && !isSameAmount(expectedAmount, order.currencyAmount))
    return { reason: 'amount', field: 'currencyAmount' };
  if (intent.widget === 'nft') return findNftMismatch(order, params);
  const isLocked = params.walletAddressLocked === '1' || params.walletAddressHidden === '1';
  if (isLocked && !isSameWallet(params.walletAddress, order.walletAddress))
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

/** Hexadecimal addresses are the same whatever their case, which is a checksum at most. */
function isSame(bound: string | undefined, found: string | number | undefined): boolean {
  if (bound === undefined || found === undefined) return false;
  const text = `${found}`;
  if (HEXADECIMAL.test(bound)) return text.toLowerCase() === bound.toLowerCase();
  return text === bound;
}

/** Bech32 addresses by the prefixes of their chains: 38 to 108 characters. All of one has one case. */
const BECH32 =
  /^(?:bc|tb|bcrt|ltc|tltc|addr|addr_test|stake|bnb|cosmos|osmo|celestia|inj|sei|terra|erd|zil)1[02-9ac-hj-np-z]{32,103}$/i;

const isBech32 = (text: string): boolean =>
  BECH32.test(text) && (text === text.toLowerCase() || text === text.toUpperCase());

/** A bech32 address is the same in capitals. Base58 addresses differ by case, so only bech32 is folded. */
function isSameWallet(bound: string | undefined, found: string | undefined): boolean {
  if (isSame(bound, found)) return true;
  if (!bound || !found || !isBech32(bound) || !isBech32(found)) return false;
  return bound.toLowerCase() === found.toLowerCase();
}
