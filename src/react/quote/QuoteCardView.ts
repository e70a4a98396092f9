import type { CheckoutMessages } from '../../messages/CheckoutMessages.js';
import type { QuoteMessages } from '../../messages/QuoteMessages.js';
import type { Choice, Offer } from './chooseFrom.js';
import type { AmountFormats } from './formatAmount.js';
import type { QuotePreviewState, QuoteSelection } from './quote-preview-types.js';
import type { QuoteState } from './quote-types.js';

/** All that the parts of the card show and do, free of words. */
export interface QuotePreviewView extends QuotePreviewState {
  readonly nft: boolean;
  readonly offer: Offer;
  readonly choice: Choice | undefined;
  readonly amount: string;
  readonly timing: Pick<QuoteState, 'quotedAt' | 'nextQuoteAt' | 'refreshSeconds'>;
  readonly change: (part: Partial<QuoteSelection>) => void;
}

/** What is shown, with the words and figures to show it in. */
export interface QuoteCardView extends QuotePreviewView {
  readonly messages: QuoteMessages & CheckoutMessages;
  readonly formats: AmountFormats;
}
