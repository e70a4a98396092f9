import { createCodeLoader } from '../../client/createCodeLoader.js';

/** The code of a click, with the React component that shows errors and notices. */
export const checkoutCode = /* @__PURE__ */ createCodeLoader(() => import('./openCheckout.js'));
