import type { CheckoutDisplay } from './CheckoutEvent.js';

/**
 * Returns whether a display shows the widget in a frame of the page. A value that only JavaScript can pass, such as
 * `popup`, is shown in a dialog, so it is framed too.
 */
export const isFramed = (display: CheckoutDisplay): boolean =>
  display !== 'window' && display !== 'redirect';
