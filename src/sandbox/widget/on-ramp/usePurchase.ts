import { useMemo, useState } from 'react';
import { compareDecimals } from '../../../protocol/decimals.js';
import type { CatalogCryptoCurrency } from '../../catalog/cryptoCurrencies.js';
import type { CatalogFiatCurrency } from '../../catalog/fiatCurrencies.js';
import { isAddressOfFamily, isSoldFor } from '../../catalog/purchaseRules.js';
import type { OrderRequest, PurchaseRequest } from '../../checkout/checkPurchase.js';
import type { OnRampPageData } from '../../checkout/pageData.js';
import type { CheckoutClient } from '../checkoutClient.js';
import { type Formats, parseAmountInput } from '../locale.js';
import { type LiveQuote, useLiveQuote } from '../price.js';

/** The key of the text that explains an invalid amount. */
type AmountIssueKey = 'amountMissing' | 'amountInvalid' | 'belowMinimum' | 'aboveMaximum';

/** What the shopper has entered so far. It is kept when the screen changes. */
export interface PurchaseDraft {
  readonly fiat: CatalogFiatCurrency | undefined;
  readonly crypto: CatalogCryptoCurrency | undefined;
  readonly amountText: string;
  readonly amountIssueKey: AmountIssueKey | undefined;
  /** Whether the selected fiat currency cannot buy the selected cryptocurrency. */
  readonly pairUnavailable: boolean;
  /** The values for a quote request. An invalid amount is `undefined`, and so is an unavailable cryptocurrency. */
  readonly request: { [K in keyof PurchaseRequest]: PurchaseRequest[K] | undefined };
  readonly email: string;
  readonly wallet: string;
  /** Whether the wallet field starts empty because the shop's wallet is on another chain. */
  readonly walletNotPrefilled: boolean;
  /** Whether the shop's wallet is on another chain but the shopper cannot change it. */
  readonly walletWrongNetwork: boolean;
  setFiat(code: string): void;
  setCrypto(code: string): void;
  setAmountText(text: string): void;
  setEmail(text: string): void;
  setWallet(text: string): void;
}

export function usePurchase(session: OnRampPageData, formats: Formats): PurchaseDraft {
  const [fiatCode, setFiat] = useState(session.fiat);
  const [cryptoCode, setCrypto] = useState(session.crypto);
  const [amountText, setAmountText] = useState(formats.typed(session.amount ?? ''));
  const [email, setEmail] = useState(session.email ?? '');
  const [typedWallet, setWallet] = useState<string>();
  const fiat = session.fiats.find(({ code }) => code === fiatCode);
  const crypto = session.cryptos.find(({ code }) => code === cryptoCode);
  const amount = fiat && parseAmountInput(amountText, fiat.digits);
  const pairUnavailable = Boolean(fiat && crypto && !isSoldFor(crypto, fiat));
  const amountIssueKey = findAmountIssueKey(amountText, amount, fiat);
  const { address, families, locked, hidden } = session.wallet;
  const unfit = Boolean(families && crypto && !families.includes(crypto.family));
  const offered = address && crypto && isAddressOfFamily(address, crypto.family) ? address : '';
  const enforced = locked || hidden;
  return {
    fiat,
    crypto,
    amountText,
    amountIssueKey,
    pairUnavailable,
    request: {
      fiatCurrency: fiatCode,
      currencyAmount: amountIssueKey ? undefined : amount,
      cryptoCurrencyCode: pairUnavailable ? undefined : cryptoCode,
    },
    email,
    wallet: enforced ? offered : (typedWallet ?? offered),
    walletNotPrefilled: unfit && !enforced && typedWallet === undefined,
    walletWrongNetwork: unfit && enforced,
    setFiat,
    setCrypto,
    setAmountText,
    setEmail,
    setWallet,
  };
}

function findAmountIssueKey(
  text: string,
  amount: string | undefined,
  fiat: CatalogFiatCurrency | undefined,
): AmountIssueKey | undefined {
  if (text.trim() === '') return 'amountMissing';
  if (amount === undefined || !fiat) return 'amountInvalid';
  const [{ min, max }] = fiat.paymentOptions;
  if (compareDecimals(amount, min) < 0) return 'belowMinimum';
  if (compareDecimals(amount, max) > 0) return 'aboveMaximum';
  return undefined;
}

/** Returns the live quote of an on-ramp purchase. No quote is requested while the input is incomplete. */
export function useOnRampQuote(
  client: CheckoutClient,
  { fiatCurrency, currencyAmount, cryptoCurrencyCode }: PurchaseDraft['request'],
): LiveQuote {
  const requestQuote = useMemo(() => {
    if (!fiatCurrency || !currencyAmount || !cryptoCurrencyCode) return undefined;
    const purchase = { fiatCurrency, currencyAmount, cryptoCurrencyCode };
    return (signal: AbortSignal) => client.quote(purchase, signal);
  }, [client, fiatCurrency, currencyAmount, cryptoCurrencyCode]);
  return useLiveQuote(requestQuote, `${fiatCurrency} ${cryptoCurrencyCode}`, currencyAmount);
}

/**
 * Creates the request of an order, or returns `undefined` while the input is incomplete. A wallet that the shop
 * locked or hid is not sent.
 */
export function createOrderRequest(
  { request, email, wallet }: PurchaseDraft,
  session: OnRampPageData,
): OrderRequest | undefined {
  const { fiatCurrency, currencyAmount, cryptoCurrencyCode } = request;
  if (!fiatCurrency || !currencyAmount || !cryptoCurrencyCode) return undefined;
  const enforced = session.wallet.locked || session.wallet.hidden;
  return {
    fiatCurrency,
    currencyAmount,
    cryptoCurrencyCode,
    email: email.trim(),
    ...(!enforced && { walletAddress: wallet.trim() }),
  };
}

/** Amounts as decimal strings, `undefined` while unknown. */
interface Amounts {
  readonly currencyAmount: string | undefined;
  readonly cryptoCurrencyAmount: string | undefined;
}

/** Formats both amounts in the currencies of the purchase: an estimate before the payment, then all digits. */
export function formatOrderAmounts(
  formats: Formats,
  { fiat, crypto }: PurchaseDraft,
  amounts: Amounts,
  isPaid: boolean,
) {
  const { currencyAmount, cryptoCurrencyAmount } = amounts;
  return {
    paid: fiat && currencyAmount ? formats.money(currencyAmount, fiat.code, fiat.digits) : '',
    got:
      crypto && cryptoCurrencyAmount
        ? isPaid
          ? formats.exact(cryptoCurrencyAmount, crypto.symbol)
          : `${formats.estimate(cryptoCurrencyAmount, crypto.symbol)} ${crypto.symbol}`
        : undefined,
    network: crypto?.networkName,
  };
}
