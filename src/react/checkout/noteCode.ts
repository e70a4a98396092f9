import { createCodeLoader } from '../../client/createCodeLoader.js';

/** The code that shows errors and notices. A button loads it before the click, so that they can be shown offline. */
export const noteCode = /* @__PURE__ */ createCodeLoader(() => import('./noteParts.js'));
