import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import type { QuoteMessages } from '../../../messages/QuoteMessages.js';
import type { AmountFormats } from '../../format/createAmountFormats.js';
import type { QuoteState } from '../hooks/QuoteState.js';
import type { QuotePreviewState, QuoteSelection } from '../selection/QuotePreviewState.js';
import type { Choice, Offer } from '../selection/resolveChoice.js';

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
  readonly messages: QuoteMessages & Pick<CheckoutMessages, 'retry' | 'offline'>;
  readonly formats: AmountFormats;
}
