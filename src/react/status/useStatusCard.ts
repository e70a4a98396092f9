import { createLazyPart } from '../card/createLazyPart.js';

/** Loads the content of the card while the backend is requested. */
export const useStatusCard = /* @__PURE__ */ createLazyPart(
  () => import('./card/statusContent.js'),
);
