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
  readonly loadingSlowly: string;
  /** Over the widget, before a checkout goes on in a new window. */
  readonly paidQuestion: string;
  /** Below that question, and beside the button once the widget was closed. */
  readonly doNotPayAgain: string;
  readonly paid: string;
  readonly notPaid: string;
  /** Leaves the widget as it is. */
  readonly stayHere: string;
  /** Where the checkout cannot go on in a new window. */
  readonly cannotContinue: string;
  readonly startNew: string;
  /** Beside the button, when the backend knows an order of the checkout. */
  readonly paymentReceived: string;
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
  loadingSlowly: 'The checkout does not appear. It may open in a new window.',
  paidQuestion: 'Have you already paid?',
  doNotPayAgain:
    "If you have paid, don't pay again. Your order appears on this page once the payment is confirmed.",
  paid: 'I have paid',
  notPaid: 'I have not paid',
  stayHere: 'Stay here',
  cannotContinue: 'This checkout cannot continue in a new window. A new one starts there.',
  startNew: 'Start a new checkout',
  paymentReceived: "Your payment has been received. Don't pay again.",
};
