import { createLazyPart } from '../card/createLazyPart.js';

/** The code of a card that follows the checkouts of its page. */
export const useStatusList = /* @__PURE__ */ createLazyPart(() => import('./StatusList.js'));
