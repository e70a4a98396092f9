import { createCodeLoader } from '../client/createCodeLoader.js';

/** The code of a click, without React. */
export const checkoutCode = /* @__PURE__ */ createCodeLoader(
  () => import('./openElementCheckout.js'),
);
