import { createLazyPart } from '../card/createLazyPart.js';

/** Loads the code of a card without a `reference`. */
export const useStatusList = /* @__PURE__ */ createLazyPart(() => import('./StatusList.js'));
