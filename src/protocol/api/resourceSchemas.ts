import * as z from 'zod/mini';
import { isSecureUrl } from '../parseServiceUrl.js';
import type { NftDetails, Order, ProcessingTime } from './resources.js';
import {
  lenientField,
  listField,
  optionalField,
  requiredField,
  Unreadable,
  wireCount,
  wireDecimal,
  wireText,
  wireTime,
} from './wireValues.js';

// Each schema accepts the service's inconsistent data (service interface, section 2) and returns the
// types of resources.ts. Unknown fields are ignored; only fields that are always needed are required.

const NOT_AN_OBJECT = 'must be an object';
const record = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.object(shape, { error: NOT_AN_OBJECT });

const picture = z.pipe(
  wireText,
  z.transform((address) => {
    try {
      return isSecureUrl(new URL(address)) ? address : undefined;
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

/** A payment option (service interface, section 2.3). */
const paymentOptionSchema = record({
  name: requiredField(wireText),
  processingTime: optionalField(processingTime),
  icon: optionalField(picture),
  maxAmount: optionalField(wireDecimal),
  minAmount: optionalField(wireDecimal),
});

/** A fiat currency with its payment options (section 2.2). */
export const fiatCurrencySchema = record({
  fiatCurrency: requiredField(wireText),
  name: optionalField(wireText),
  paymentOptions: listField(paymentOptionSchema),
});

/** A listed cryptocurrency (section 2.8). Its record is not documented, so it is kept whole in `raw`. */
export const cryptoCurrencySchema = z.pipe(
  z.transform((input: unknown) =>
    Object.prototype.toString.call(input) === '[object Object]'
      ? { ...(input as object), raw: input }
      : input,
  ),
  record({
    cryptoCurrencyCode: requiredField(wireText),
    cryptoCurrency: optionalField(wireText),
    network: optionalField(wireText),
    icon: optionalField(picture),
    raw: z.record(z.string(), z.unknown()),
  }),
);

/** A quote (section 2.4). */
export const quoteSchema = record({
  fiatCurrency: requiredField(wireText),
  currencyAmount: requiredField(wireDecimal),
  cryptoCurrencyCode: requiredField(wireText),
  cryptoCurrency: optionalField(wireText),
  network: optionalField(wireText),
  cryptoCurrencyAmount: requiredField(wireDecimal),
  cryptoCurrencyUnitPrice: optionalField(wireDecimal),
  gasFee: optionalField(wireDecimal),
  platformFee: optionalField(wireDecimal),
  totalFee: optionalField(wireDecimal),
  paymentOptions: listField(paymentOptionSchema),
});

/** The NFT of an order (section 2.7). */
const nftDetailsSchema = record({
  contractAddress: optionalField(wireText),
  nftNetwork: optionalField(wireText),
  tokenId: optionalField(wireText),
  merchantUniqueId: optionalField(wireText),
  type: optionalField(wireText),
  mintQuantity: optionalField(wireCount),
  ownerWalletAddress: optionalField(wireText),
  transferWalletAddress: optionalField(wireText),
  merchantOrderNo: optionalField(wireText),
  externalCustomerId: optionalField(wireText),
});

/**
 * An order (section 2.6). The fields that decide whether and where a paid order is delivered are strict: if one is
 * malformed, so is the order. Any other malformed field is left out of the order and kept as text in `unreadable`.
 */
export const orderSchema = z.pipe(
  record({
    orderId: requiredField(wireText),
    orderStatus: requiredField(wireCount),
    fiatCurrency: optionalField(wireText),
    currencyAmount: optionalField(wireDecimal),
    walletAddress: optionalField(wireText),
    walletAddressTag: optionalField(wireText),
    ext: optionalField(wireText),
    nftDetails: z.pipe(
      listField(nftDetailsSchema),
      // Drop entries whose fields are all empty. On-ramp orders can contain such entries, but any entry that is left
      // makes the order an NFT order.
      z.transform((all) => all.filter((details) => Object.values(details).some(Boolean))),
    ),
    userId: lenientField(wireText),
    payTime: lenientField(wireTime),
    deliverTime: lenientField(wireTime),
    finishTime: lenientField(wireTime),
    cryptoCurrency: lenientField(wireText),
    cryptoCurrencyCode: lenientField(wireText),
    cryptoCurrencyAmount: lenientField(wireDecimal),
    cryptoCurrencyUnitPrice: lenientField(wireDecimal),
    gasFee: lenientField(wireDecimal),
    gasFeeUnit: lenientField(wireText),
    platformFee: lenientField(wireDecimal),
    platformFeeUnit: lenientField(wireText),
    totalFee: lenientField(wireDecimal),
    totalFeeUnit: lenientField(wireText),
    payment: lenientField(wireText),
    txHash: lenientField(wireText),
    network: lenientField(wireText),
    blockchainExplorer: lenientField(wireText),
  }),
  z.transform((fields): Order => {
    const { order, unreadable } = separateUnreadable(fields);
    const kindAndState = toKindAndState(order.orderStatus, order.nftDetails);
    return { ...order, ...kindAndState, ...(unreadable && { unreadable }) };
  }),
);

type Readable<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], Unreadable> };

function separateUnreadable<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields);
  const unreadable = entries.filter(([, value]) => value instanceof Unreadable);
  if (unreadable.length === 0) return { order: fields as Readable<Fields> };
  const order = Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Unreadable ? undefined : value]),
  );
  return {
    order: order as Readable<Fields>,
    unreadable: Object.fromEntries(unreadable.map(([name, { json }]) => [name, json as string])),
  };
}

/** A page of orders (section 2.5). One malformed order makes the page invalid. */
export const orderListSchema = record({
  page: requiredField(wireCount),
  size: requiredField(wireCount),
  totalCount: requiredField(wireCount),
  list: listField(orderSchema),
});

/**
 * A page whose orders are not parsed yet. The caller parses each order separately, so that a malformed order does not
 * make the page invalid.
 */
export const orderPageSchema = record({
  page: requiredField(wireCount),
  size: requiredField(wireCount),
  totalCount: requiredField(wireCount),
  list: listField(z.unknown()),
});

/** The envelope of every response (section 2.1). Its `code` may be a number or text, and is returned as text. */
export const envelopeSchema = record({
  code: requiredField(wireText),
  msg: optionalField(wireText),
  data: z.optional(z.unknown()),
});

const statesByKind = {
  'on-ramp': { 3: 'finished' },
  nft: { 1: 'finished', 2: 'settlement', 3: 'settled' },
} as const;

/**
 * Returns the kind and the state of an order. The same status number has different meanings for on-ramp and NFT
 * orders (section 3).
 */
function toKindAndState(orderStatus: number, nftDetails: readonly NftDetails[]) {
  const kind = nftDetails.length > 0 ? 'nft' : 'on-ramp';
  const states: Readonly<Record<number, Order['state']>> = statesByKind[kind];
  return { kind, state: states[orderStatus] ?? 'unknown' } as const;
}
