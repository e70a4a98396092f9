import { lazyPart } from '../lazyPart.js';

/** The code of a card that follows the checkouts of its page. */
export const useStatusList = /* @__PURE__ */ lazyPart(() => import('./StatusList.js'));
