import { messages as english } from '../../messages/en.js';
import type { RampMessages } from '../../messages/RampMessages.js';
import { formatAmount } from './formatAmount.js';
import type { QuoteCardView, QuotePreviewView } from './QuoteCardView.js';

/** Adds the words, and the figures of the reader's language. */
export const cardView = (
  view: QuotePreviewView,
  messages: Partial<RampMessages> | undefined,
  locale: string | undefined,
): QuoteCardView => ({
  ...view,
  messages: { ...english, ...messages },
  formats: formatAmount(locale || document.documentElement.lang || navigator.language),
});
