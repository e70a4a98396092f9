import type { RampMessages } from './RampMessages.js';

/** English: the texts that the components use unless told otherwise. */
export const messages: RampMessages = {
  buy: 'Buy crypto',
  opening: 'Opening the checkout…',
  failed: 'The checkout could not be opened.',
  offline: 'The shop could not be reached. Check your connection.',
  retry: 'Try again',
  blocked: 'The window was blocked.',
  openHere: 'Open the checkout here.',
  checkout: 'Checkout',
  close: 'Close the checkout',
  newWindow: 'Open in a new window',
  loading: 'Loading the checkout…',
  slow: 'The checkout does not appear. It may open in a new window.',
};
