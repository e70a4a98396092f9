/** The fixed time of prices in the stories. Prices change with the clock, and page and widget must show the same. */
export const PRICE_TIME = Date.UTC(2026, 0, 1);
