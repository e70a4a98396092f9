/**
 * The texts of one language. Each language has its own entry point: `@partner-ramp/react/messages/ar`, and likewise
 * `de`, `en`, `es`, `fr`, `ja` and `zh`.
 *
 * @module
 */

import { brokenEnglish } from './BrokenMessages.js';
import { checkoutEnglish } from './CheckoutMessages.js';
import { historyEnglish } from './HistoryMessages.js';
import { nftEnglish } from './NftMessages.js';
import { quoteEnglish } from './QuoteMessages.js';
import type { RampMessages } from './RampMessages.js';
import { statusEnglish } from './StatusMessages.js';

/**
 * The English texts, which are the default. Components do not import this object: each imports only the part that it
 * shows.
 */
export const messages: RampMessages = {
  textLanguage: 'en',
  ...checkoutEnglish,
  ...quoteEnglish,
  ...nftEnglish,
  ...statusEnglish,
  ...historyEnglish,
  ...brokenEnglish,
};
