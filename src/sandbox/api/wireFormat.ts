import { LosslessNumber } from 'lossless-json';
import { formatUnits, parseUnits } from '../../protocol/decimals.js';
import type { CatalogCryptoCurrency } from '../catalog/cryptoCurrencies.js';
import type { CatalogFiatCurrency, CatalogPaymentOption } from '../catalog/fiatCurrencies.js';
import { getCryptoIconPath, getPaymentIconPath } from '../catalog/icons.js';
import type { SandboxQuirks } from '../faults.js';
import type { SandboxNftDetails, SandboxOrder } from '../orders.js';
import type { ApiQuote, SandboxOrderPage } from './apiOperations.js';

/** Functions that convert each kind of value to its JSON form, which depends on the sandbox's quirks. */
export interface WireFormat {
  code(code: number): number | string;
  /**
   * Returns a JSON number that keeps every digit of `text`, including trailing zeros. With the quirk `decimalsAsText`,
   * returns text instead.
   */
  decimal(text: string): LosslessNumber | string;
  time(seconds: number): number | string;
  count(count: number): number | string;
  list<T>(items: readonly T[]): readonly T[] | '';
  /** Returns the payment options of one currency. `chosen` is the one that a quote was made for. */
  options<T>(all: readonly T[], chosen: T | undefined): readonly T[] | T;
}

/** Creates a sandbox's wire format. Quirks that `quirks` omits are off. */
export function createWireFormat(quirks: Partial<SandboxQuirks>): WireFormat {
  return {
    code: (code) => (quirks.codeAsText ? String(code) : code),
    decimal: (text) => (quirks.decimalsAsText ? text : new LosslessNumber(text)),
    time: (seconds) => (quirks.timesAsText ? String(seconds) : seconds),
    count: (count) => (quirks.countsAsText ? String(count) : count),
    list: (items) => (quirks.emptyListAsText && items.length === 0 ? '' : items),
    options: (all, chosen) => {
      const one = chosen ?? (all.length === 1 ? all[0] : undefined);
      return quirks.paymentOptionsAsObject && one !== undefined ? one : all;
    },
  };
}

/** The text of an empty field (service interface, section 2.1). */
const NONE = '';

/** Creates functions that write the resources of section 2. Each record contains all fields, even empty ones. */
export function createWireRecords(form: WireFormat, origin: string) {
  /** Writes a payment option (section 2.3). */
  const writeOption = (
    { name, minutes, min, max }: CatalogPaymentOption,
    { digits }: CatalogFiatCurrency,
  ) => {
    const writeLimit = (text: string) =>
      form.decimal(formatUnits(parseUnits(text, digits), digits));
    return {
      name,
      processingTime: `${minutes[0]} - ${minutes[1]}Min`,
      icon: origin + getPaymentIconPath(name),
      maxAmount: writeLimit(max),
      minAmount: writeLimit(min),
    };
  };
  const writeOptions = (fiat: CatalogFiatCurrency, chosen?: CatalogPaymentOption) =>
    form.options(
      fiat.paymentOptions.map((each) => writeOption(each, fiat)),
      chosen && writeOption(chosen, fiat),
    );

  return {
    /** Writes a fiat currency (section 2.2). */
    fiatCurrency: (fiat: CatalogFiatCurrency) => ({
      fiatCurrency: fiat.code,
      name: fiat.name,
      paymentOptions: writeOptions(fiat),
    }),

    /**
     * Writes a cryptocurrency. Its record is not documented (section 2.8); `networkName` and `precision` are
     * additions of the sandbox.
     */
    cryptoCurrency: (crypto: CatalogCryptoCurrency) => ({
      cryptoCurrency: crypto.symbol,
      cryptoCurrencyCode: crypto.code,
      network: crypto.network,
      icon: origin + getCryptoIconPath(crypto.symbol),
      networkName: crypto.networkName,
      precision: crypto.digits,
    }),

    /** Writes a quote (section 2.4). */
    quote: ({ purchase, price: { cryptoFees: _, ...price } }: ApiQuote) => ({
      ...price,
      currencyAmount: form.decimal(price.currencyAmount),
      cryptoCurrencyAmount: form.decimal(price.cryptoCurrencyAmount),
      cryptoCurrencyUnitPrice: form.decimal(price.cryptoCurrencyUnitPrice),
      gasFee: form.decimal(price.gasFee),
      platformFee: form.decimal(price.platformFee),
      totalFee: form.decimal(price.totalFee),
      paymentOptions: writeOptions(purchase.fiat, purchase.option),
    }),

    /** Writes an order (section 2.6). */
    order: (order: SandboxOrder) => toOrderRecord(form, order),

    /** Writes an order list (section 2.5). */
    orderList: ({ list, ...counts }: SandboxOrderPage) => ({
      ...counts,
      list: form.list(list.map((order) => toOrderRecord(form, order))),
    }),
  };
}

/**
 * Converts an order. An on-ramp order has no NFT, and its wallet's tag is empty, because the sandbox sells no currency
 * whose wallets have tags.
 */
const toOrderRecord = (form: WireFormat, { nftDetails, ...order }: SandboxOrder) => ({
  ...order,
  payTime: form.time(order.payTime),
  deliverTime: form.time(order.deliverTime),
  finishTime: form.time(order.finishTime),
  currencyAmount: form.decimal(order.currencyAmount),
  cryptoCurrencyAmount: form.decimal(order.cryptoCurrencyAmount),
  cryptoCurrencyUnitPrice: form.decimal(order.cryptoCurrencyUnitPrice),
  walletAddressTag: order.walletAddressTag ?? NONE,
  gasFee: form.decimal(order.gasFee),
  platformFee: form.decimal(order.platformFee),
  totalFee: form.decimal(order.totalFee),
  nftDetails: nftDetails?.map((nft) => toNftRecord(form, nft)) ?? NONE,
});

/** Converts NFT details (section 2.7). */
const toNftRecord = (form: WireFormat, nft: SandboxNftDetails) => ({
  tokenId: NONE,
  merchantUniqueId: NONE,
  ownerWalletAddress: NONE,
  merchantOrderNo: NONE,
  externalCustomerId: NONE,
  ...nft,
  mintQuantity: nft.mintQuantity === undefined ? NONE : form.count(nft.mintQuantity),
});
