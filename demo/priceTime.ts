/** The time of all prices in the stories. It is fixed, because page and widget must show the same prices. */
export const PRICE_TIME = Date.UTC(2026, 0, 1);
