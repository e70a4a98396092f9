import { quoteEnglish } from '../../../messages/QuoteMessages.js';
import type { RampMessages } from '../../../messages/RampMessages.js';
import { createAmountFormats } from '../../format/createAmountFormats.js';
import type { QuoteCardView, QuotePreviewView } from './QuoteCardView.js';

/** Adds the texts, and the formats of the reader's language. */
export const createQuoteCardView = (
  view: QuotePreviewView,
  messages: Partial<RampMessages> | undefined,
  locale: string | undefined,
): QuoteCardView => ({
  ...view,
  // Copied, because the other texts of the checkout are not needed here.
  messages: {
    retry: 'Try again',
    offline: 'The shop could not be reached. Check your connection.',
    ...quoteEnglish,
    ...messages,
  },
  formats: createAmountFormats(locale || document.documentElement.lang || navigator.language),
});
