import { createLazyPart } from '../lazyPart.js';

/** The content of the card, fetched while the backend is asked. */
export const useStatusCard = /* @__PURE__ */ createLazyPart(() => import('./status-content.js'));
