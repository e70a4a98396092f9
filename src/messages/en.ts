/**
 * The texts of one language. Each language is an entry: `@partner-ramp/react/messages/ar`, `de`, `en`, `es`,
 * `fr`, `ja` and `zh`.
 *
 * @module
 */

import { checkoutEnglish } from './CheckoutMessages.js';
import { nftEnglish } from './NftMessages.js';
import { quoteEnglish } from './QuoteMessages.js';
import type { RampMessages } from './RampMessages.js';
import { statusEnglish } from './StatusMessages.js';

/** English, the default. A component imports only its own part. */
export const messages: RampMessages = {
  ...checkoutEnglish,
  ...quoteEnglish,
  ...nftEnglish,
  ...statusEnglish,
};
