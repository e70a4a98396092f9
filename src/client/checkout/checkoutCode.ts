import { createCodeLoader } from '../createCodeLoader.js';

/** The code that a click loads. */
export const checkoutCode = /* @__PURE__ */ createCodeLoader(() => import('./openCheckout.js'));
