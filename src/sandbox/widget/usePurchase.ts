import { useState } from 'react';
import type { PurchaseRequest } from '../check-purchase.js';
import type { CryptoCurrency } from '../crypto-currencies.js';
import { compareDecimals } from '../decimal.js';
import type { FiatCurrency } from '../fiat-currencies.js';
import { sells } from '../sells.js';
import type { SessionData } from '../session-data.js';
import { fitsFamily } from '../wallet-address.js';
import { type Formats, readAmount } from './formats.js';

/** What is wrong with the amount, as the name of its text. */
type AmountFault = 'amountMissing' | 'amountMalformed' | 'atLeast' | 'atMost';

/** What the shopper has chosen and typed so far; it outlives the screens. */
export interface Purchase {
  readonly fiat: FiatCurrency | undefined;
  readonly crypto: CryptoCurrency | undefined;
  readonly amountText: string;
  readonly amountFault: AmountFault | undefined;
  /** The one currency does not buy the other. */
  readonly pairUnsold: boolean;
  /** What to ask a quote for, without what is no good: the amount, a pair that is not sold. */
  readonly request: { [K in keyof PurchaseRequest]: PurchaseRequest[K] | undefined };
  readonly email: string;
  readonly wallet: string;
  /** The shop named a wallet of another chain, so the field starts empty. */
  readonly walletLeftOut: boolean;
  /** The shop set a wallet of another chain, and it may not be changed. */
  readonly walletUnfit: boolean;
  setFiat(code: string): void;
  setCrypto(code: string): void;
  setAmountText(text: string): void;
  setEmail(text: string): void;
  setWallet(text: string): void;
}

export function usePurchase(session: SessionData, formats: Formats): Purchase {
  const [fiatCode, setFiat] = useState(session.fiat);
  const [cryptoCode, setCrypto] = useState(session.crypto);
  const [amountText, setAmountText] = useState(formats.typed(session.amount ?? ''));
  const [email, setEmail] = useState(session.email ?? '');
  const [typedWallet, setWallet] = useState<string>();
  const fiat = session.fiats.find(({ code }) => code === fiatCode);
  const crypto = session.cryptos.find(({ code }) => code === cryptoCode);
  const amount = fiat && readAmount(amountText, fiat.digits);
  const pairUnsold = Boolean(fiat && crypto && !sells(crypto, fiat));
  const amountFault = faultOf(amountText, amount, fiat);
  const { address, families, locked, hidden } = session.wallet;
  const unfit = Boolean(families && crypto && !families.includes(crypto.family));
  const offered = address && crypto && fitsFamily(address, crypto.family) ? address : '';
  const enforced = locked || hidden;
  return {
    fiat,
    crypto,
    amountText,
    amountFault,
    pairUnsold,
    request: {
      fiatCurrency: fiatCode,
      currencyAmount: amountFault ? undefined : amount,
      cryptoCurrencyCode: pairUnsold ? undefined : cryptoCode,
    },
    email,
    wallet: enforced ? offered : (typedWallet ?? offered),
    walletLeftOut: unfit && !enforced && typedWallet === undefined,
    walletUnfit: unfit && enforced,
    setFiat,
    setCrypto,
    setAmountText,
    setEmail,
    setWallet,
  };
}

function faultOf(
  text: string,
  amount: string | undefined,
  fiat: FiatCurrency | undefined,
): AmountFault | undefined {
  if (text.trim() === '') return 'amountMissing';
  if (amount === undefined || !fiat) return 'amountMalformed';
  const [{ min, max }] = fiat.paymentOptions;
  if (compareDecimals(amount, min) < 0) return 'atLeast';
  if (compareDecimals(amount, max) > 0) return 'atMost';
  return undefined;
}
