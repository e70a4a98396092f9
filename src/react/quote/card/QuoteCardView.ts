import type { CheckoutMessages } from '../../../messages/CheckoutMessages.js';
import type { QuoteMessages } from '../../../messages/QuoteMessages.js';
import type { AmountFormats } from '../../format/createAmountFormats.js';
import type { QuoteState } from '../hooks/QuoteState.js';
import type { QuotePreviewState, QuoteSelection } from '../selection/QuotePreviewState.js';
import type { Choice, Offer } from '../selection/resolveChoice.js';

/** The state and actions of the card, without texts. */
export interface QuotePreviewView extends QuotePreviewState {
  readonly nft: boolean;
  readonly offer: Offer;
  readonly choice: Choice | undefined;
  readonly amount: string;
  readonly timing: Pick<QuoteState, 'quotedAt' | 'nextQuoteAt' | 'refreshSeconds'>;
  readonly change: (part: Partial<QuoteSelection>) => void;
}

/** The state of the card with its texts and formats. */
export interface QuoteCardView extends QuotePreviewView {
  readonly messages: QuoteMessages & Pick<CheckoutMessages, 'retry' | 'offline'>;
  readonly formats: AmountFormats;
}
