import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import { offline, retry } from '../../messages/EntryMessages.js';
import { type QuoteMessages, quoteEnglish } from '../../messages/QuoteMessages.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { Quote } from '../../protocol/api/resources.js';
import { fillText } from '../../protocol/fillText.js';
import { completeMessages } from '../completeMessages.js';
import { type AmountFormats, createAmountFormats } from '../format/createAmountFormats.js';
import { createEstimateFormats, type EstimateFormats } from '../format/createEstimateFormats.js';
import { getCurrencySymbol } from './currencyOptions.js';
import type { QuoteForm, QuotePreviewStatus } from './QuoteForm.js';

/** The texts of the card, and the functions that format its amounts in the shopper's language. */
export interface QuoteTexts {
  readonly messages: QuoteMessages & Pick<CheckoutMessages, 'retry' | 'offline'>;
  readonly formats: AmountFormats & EstimateFormats;
}

export function createQuoteTexts(
  messages: Partial<RampMessages> | undefined,
  locale: string,
): QuoteTexts {
  const formats = createAmountFormats(locale);
  return {
    messages: completeMessages({ retry, offline, ...quoteEnglish }, messages),
    formats: { ...formats, ...createEstimateFormats(formats) },
  };
}

/** Returns the note that explains the state to the shopper, or `''` if the state needs none. */
export function describeQuoteStatus(
  { status, quotedAt = 0, error }: QuoteForm,
  { messages, formats }: QuoteTexts,
): string {
  switch (status) {
    case 'stale': {
      const seconds = Math.max(0, Date.now() / 1000 - quotedAt);
      return fillText(messages.stalePrice, { age: formats.age(seconds) });
    }
    case 'unavailable':
      return messages.noPrice;
    case 'empty':
      return messages.nothingOffered;
    case 'offline':
      return messages.priceOffline;
    case 'error':
      return error?.code === 'ERR_NETWORK' ? messages.offline : messages.priceFailed;
    default:
      return '';
  }
}

/** Formats a quote's bought amount for the shopper, with the coin's symbol. */
export function formatBought(quote: Quote, { formats }: QuoteTexts): string {
  const symbol = getCurrencySymbol(quote);
  return `${formats.estimate(quote.cryptoCurrencyAmount, symbol)}\u00a0${symbol}`;
}

/** Returns the text for an amount outside the limits, with the placeholder `{amount}`. */
export const getLimitText = (status: QuotePreviewStatus, { messages }: QuoteTexts): string =>
  status === 'below' ? messages.atLeast : messages.atMost;
