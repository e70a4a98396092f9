import { lazyPart } from '../lazyPart.js';

/** The content of the card, fetched while the currencies are. */
export const useQuoteCard = /* @__PURE__ */ lazyPart(() => import('./card-content.js'));
