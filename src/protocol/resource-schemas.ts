import * as z from 'zod/mini';
import type { NftDetails, Order, ProcessingTime } from './resources.js';
import { isSecure } from './service-url.js';
import {
  listOf,
  maybe,
  present,
  wireCount,
  wireDecimal,
  wireSeconds,
  wireText,
} from './wire-values.js';

// Every schema takes the service's data with its inconsistencies (section 2) and gives our types.
// Fields that nobody knows are let be; a field that nothing works without must be there.

const NOT_AN_OBJECT = 'must be an object';
const record = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.object(shape, { error: NOT_AN_OBJECT });

const picture = z.pipe(
  wireText,
  z.transform((address) => {
    try {
      return isSecure(new URL(address)) ? address : undefined;
    } catch {
      return undefined;
    }
  }),
);

const processingTime = z.pipe(
  wireText,
  z.transform((text): ProcessingTime => {
    const [, min, max] = /^\s*(\d{1,6})\s*-\s*(\d{1,6})\s*min/i.exec(text) ?? [];
    return { text, ...(min && max && { minMinutes: Number(min), maxMinutes: Number(max) }) };
  }),
);

/** Section 2.3. */
export const paymentOptionSchema = record({
  name: present(wireText),
  processingTime: maybe(processingTime),
  icon: maybe(picture),
  maxAmount: maybe(wireDecimal),
  minAmount: maybe(wireDecimal),
});

/** Section 2.2. */
export const fiatCurrencySchema = record({
  fiatCurrency: present(wireText),
  name: maybe(wireText),
  paymentOptions: listOf(paymentOptionSchema),
});

/** The record of the cryptocurrency listing is not shown: what is known of it, and the whole as `raw`. */
export const cryptoCurrencySchema = z.pipe(
  z.transform((input: unknown) =>
    Object.prototype.toString.call(input) === '[object Object]'
      ? { ...(input as object), raw: input }
      : input,
  ),
  record({
    cryptoCurrencyCode: present(wireText),
    cryptoCurrency: maybe(wireText),
    network: maybe(wireText),
    icon: maybe(picture),
    raw: z.record(z.string(), z.unknown()),
  }),
);

/** Section 2.4. */
export const quoteSchema = record({
  fiatCurrency: present(wireText),
  currencyAmount: present(wireDecimal),
  cryptoCurrencyCode: present(wireText),
  cryptoCurrency: maybe(wireText),
  network: maybe(wireText),
  cryptoCurrencyAmount: present(wireDecimal),
  cryptoCurrencyUnitPrice: maybe(wireDecimal),
  gasFee: maybe(wireDecimal),
  platformFee: maybe(wireDecimal),
  totalFee: maybe(wireDecimal),
  paymentOptions: listOf(paymentOptionSchema),
});

/** Section 2.7. */
export const nftDetailsSchema = record({
  contractAddress: maybe(wireText),
  nftNetwork: maybe(wireText),
  tokenId: maybe(wireText),
  merchantUniqueId: maybe(wireText),
  type: maybe(wireText),
  mintQuantity: maybe(wireCount),
  ownerWalletAddress: maybe(wireText),
  transferWalletAddress: maybe(wireText),
  merchantOrderNo: maybe(wireText),
  externalCustomerId: maybe(wireText),
});

/** Section 2.6. */
export const orderSchema = z.pipe(
  record({
    orderId: present(wireText),
    orderStatus: present(wireCount),
    userId: maybe(wireText),
    payTime: maybe(wireSeconds),
    deliverTime: maybe(wireSeconds),
    finishTime: maybe(wireSeconds),
    fiatCurrency: maybe(wireText),
    currencyAmount: maybe(wireDecimal),
    cryptoCurrency: maybe(wireText),
    cryptoCurrencyCode: maybe(wireText),
    cryptoCurrencyAmount: maybe(wireDecimal),
    cryptoCurrencyUnitPrice: maybe(wireDecimal),
    walletAddress: maybe(wireText),
    walletAddressTag: maybe(wireText),
    gasFee: maybe(wireDecimal),
    gasFeeUnit: maybe(wireText),
    platformFee: maybe(wireDecimal),
    platformFeeUnit: maybe(wireText),
    totalFee: maybe(wireDecimal),
    totalFeeUnit: maybe(wireText),
    payment: maybe(wireText),
    txHash: maybe(wireText),
    network: maybe(wireText),
    blockchainExplorer: maybe(wireText),
    ext: maybe(wireText),
    nftDetails: z.pipe(
      listOf(nftDetailsSchema),
      // Row by row of empty fields is no NFT.
      z.transform((all) => all.filter((details) => Object.values(details).some(Boolean))),
    ),
  }),
  z.transform((order): Order => ({ ...order, ...meaningOf(order.orderStatus, order.nftDetails) })),
);

/** Section 2.5. */
export const orderListSchema = record({
  page: present(wireCount),
  size: present(wireCount),
  totalCount: present(wireCount),
  list: listOf(orderSchema),
});

/** The same with its orders as they came: each is read by itself. */
export const orderPageSchema = record({
  page: present(wireCount),
  size: present(wireCount),
  totalCount: present(wireCount),
  list: listOf(z.unknown()),
});

/** Section 2.1. `code` is text afterwards. */
export const envelopeSchema = record({
  code: present(wireText),
  msg: maybe(wireText),
  data: z.optional(z.unknown()),
});

const statesOf = {
  'on-ramp': { 3: 'finished' },
  nft: { 1: 'finished', 2: 'settlement', 3: 'settled' },
} as const;

/** Section 3: what a status means depends on whether an NFT was bought. */
function meaningOf(orderStatus: number, nftDetails: readonly NftDetails[]) {
  const kind = nftDetails.length > 0 ? 'nft' : 'on-ramp';
  const states: Readonly<Record<number, Order['state']>> = statesOf[kind];
  return { kind, state: states[orderStatus] ?? 'unknown' } as const;
}
