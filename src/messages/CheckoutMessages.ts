/** The texts of the buttons, the dialog and what stands beside a button. */
export interface CheckoutMessages {
  /** The button without children. */
  readonly buy: string;
  readonly buyNft: string;
  /** In a new window, until the widget is there. */
  readonly opening: string;
  /** Beside the button, when opening failed. */
  readonly failed: string;
  /** Beside the button, when the backend could not be reached. */
  readonly offline: string;
  readonly retry: string;
  /** Where a part of the code could not be loaded: browsers may try that once in a page's life. */
  readonly reload: string;
  /** Beside the button, when the browser blocked the window. */
  readonly blocked: string;
  /** The link that opens the blocked window. */
  readonly openHere: string;
  /** The name of the dialog and of its frame. */
  readonly checkout: string;
  readonly close: string;
  readonly newWindow: string;
  readonly loading: string;
  /** In the dialog, when the widget does not appear. */
  readonly slow: string;
}

/** In English. */
export const checkoutEnglish: CheckoutMessages = {
  buy: 'Buy crypto',
  buyNft: 'Buy NFT',
  opening: 'Opening the checkout…',
  failed: 'The checkout could not be opened.',
  offline: 'The shop could not be reached. Check your connection.',
  retry: 'Try again',
  reload: 'Reload the page to go on.',
  blocked: 'The window was blocked.',
  openHere: 'Open the checkout here.',
  checkout: 'Checkout',
  close: 'Close the checkout',
  newWindow: 'Open in a new window',
  loading: 'Loading the checkout…',
  slow: 'The checkout does not appear. It may open in a new window.',
};
