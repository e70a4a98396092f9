import { createLazyPart } from '../card/createLazyPart.js';

/** Loads the content of the card while the currencies are requested. */
export const useQuoteCard = /* @__PURE__ */ createLazyPart(() => import('./card/cardContent.js'));
