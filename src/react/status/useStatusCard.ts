import { createLazyPart } from '../card/createLazyPart.js';

/** The content of the card, fetched while the backend is asked. */
export const useStatusCard = /* @__PURE__ */ createLazyPart(
  () => import('./card/statusContent.js'),
);
