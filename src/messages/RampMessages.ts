import type { BrokenMessages } from './BrokenMessages.js';
import type { CheckoutMessages } from './CheckoutMessages.js';
import type { HistoryMessages } from './HistoryMessages.js';
import type { NftMessages } from './NftMessages.js';
import type { QuoteMessages } from './QuoteMessages.js';
import type { StatusMessages } from './StatusMessages.js';

/** All texts of the components, in one language. */
export interface RampMessages
  extends CheckoutMessages,
    QuoteMessages,
    NftMessages,
    StatusMessages,
    HistoryMessages,
    BrokenMessages {
  /** The language of the texts, such as `de`. It decides which plural form goes with a number. */
  readonly textLanguage: string;
}
