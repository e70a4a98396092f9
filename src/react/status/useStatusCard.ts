import { lazyPart } from '../lazyPart.js';

/** The content of the card, fetched while the backend is asked. */
export const useStatusCard = /* @__PURE__ */ lazyPart(() => import('./status-content.js'));
