import { formatUnits } from '../../protocol/decimal/formatUnits.js';
import { parseUnits } from '../../protocol/decimal/parseUnits.js';
import type { CatalogCryptoCurrency } from '../catalog/cryptoCurrencies.js';
import type { CatalogFiatCurrency, CatalogPaymentOption } from '../catalog/fiatCurrencies.js';
import { getCryptoIconPath, getPaymentIconPath } from '../catalog/icons/iconPaths.js';
import type { SandboxNftDetails } from '../orders/SandboxNftDetails.js';
import type { SandboxOrder } from '../orders/SandboxOrder.js';
import type { ApiQuote } from './createApiQuote.js';
import type { WireFormat } from './createWireFormat.js';
import type { SandboxOrderPage } from './selectOrderPage.js';

/** The text of an empty field (docs/service-interface.md section 2.1). */
const NONE = '';

/** Creates functions that write the resources of section 2. Each record has all fields, empty ones included. */
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

    /** Writes a cryptocurrency. It is not documented (section 2.8), and the last two fields are an addition. */
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

/** Converts an order. An on-ramp order has no NFT, and no tag, because the sandbox sells no currency with tags. */
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
