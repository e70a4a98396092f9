import { createLazyPart } from '../card/createLazyPart.js';

/** The content of the card, fetched while the currencies are. */
export const useQuoteCard = /* @__PURE__ */ createLazyPart(() => import('./card/cardContent.js'));
