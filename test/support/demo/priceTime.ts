/** Prices move with the clock. In the stories it stands still, so that page and widget say the same. */
export const PRICE_TIME = Date.UTC(2026, 0, 1);
