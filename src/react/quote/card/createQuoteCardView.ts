import { checkoutEnglish } from '../../../messages/CheckoutMessages.js';
import { quoteEnglish } from '../../../messages/QuoteMessages.js';
import type { RampMessages } from '../../../messages/RampMessages.js';
import { createAmountFormats } from '../../format/createAmountFormats.js';
import type { QuoteCardView, QuotePreviewView } from './QuoteCardView.js';

/** Adds the words, and the figures of the reader's language. */
export const createQuoteCardView = (
  view: QuotePreviewView,
  messages: Partial<RampMessages> | undefined,
  locale: string | undefined,
): QuoteCardView => ({
  ...view,
  messages: { ...checkoutEnglish, ...quoteEnglish, ...messages },
  formats: createAmountFormats(locale || document.documentElement.lang || navigator.language),
});
