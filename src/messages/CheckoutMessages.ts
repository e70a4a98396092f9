import type { PluralText } from '../protocol/fillText.js';

/** The texts of the buttons, the dialog, and the note beside a button. */
export interface CheckoutMessages {
  /** The label of an on-ramp button without children. */
  readonly buy: string;
  /** The label of an NFT button without children. */
  readonly buyNft: string;
  /** Shown in a new window until the widget loads, and over a widget while its checkout is signed again. */
  readonly opening: string;
  /**
   * Shown beside the button when the checkout could not be opened, and over the widget when the policy refuses to
   * continue.
   */
  readonly failed: string;
  /** Follows `failed` in place of `retry` when trying again cannot help, such as with a wallet on another chain. */
  readonly askShop: string;
  /** Replaces `failed` when the user is not signed in. */
  readonly signIn: string;
  /** Shown when the backend could not be reached: beside the button, over the widget, and in the price card. */
  readonly offline: string;
  readonly retry: string;
  /** Shown when lazy code failed to load. Some browsers cache this failure until the page is reloaded. */
  readonly reload: string;
  /**
   * Shown beside the button when no window opened: the browser blocked it, or the page is in an app that cannot open
   * windows.
   */
  readonly blocked: string;
  /** The link that replaces a blocked window. */
  readonly openHere: string;
  /** The button beside that link if nothing has opened, as in the web view of an app. */
  readonly openInPlace: string;
  /** The accessible name of the dialog and its frame. */
  readonly checkout: string;
  readonly close: string;
  readonly newWindow: string;
  readonly loading: string;
  /** Announced by screen readers once the frame has loaded. */
  readonly ready: string;
  /** Shown when the widget has not loaded after 8 seconds, or the page's Content-Security-Policy refuses it. */
  readonly loadingSlowly: string;
  /**
   * Shown over the widget before a checkout that may have been paid is opened again, and beside the button before
   * another one is opened for the same purchase.
   */
  readonly paidQuestion: string;
  /** Shown below `paidQuestion` and `couldNotCheck`, and beside the button after the widget was closed. */
  readonly doNotPayAgain: string;
  readonly paid: string;
  /** Continues the checkout in a new window. */
  readonly notPaid: string;
  /** Continues the checkout in a new frame of the page. It replaces `notPaid` after "Try again". */
  readonly notPaidHere: string;
  /** Closes the question and keeps the widget open. */
  readonly stayHere: string;
  /** Shown in the new window, and over the widget, while the backend reads the order list. */
  readonly checkingPayment: string;
  /** Shown when it is not known whether the checkout has been paid, because a request failed. */
  readonly couldNotCheck: string;
  /** Closes the message about a failed request and keeps the widget open. */
  readonly keepOpen: string;
  /** Shown when the checkout cannot continue in a new window. */
  readonly cannotContinue: string;
  /**
   * Opens a new checkout. Shown with `cannotContinue` or `checkoutEnded`, in place of `notPaid` or `notPaidHere`, and
   * beside the button when a click asks first whether the earlier checkout is open or paid.
   */
  readonly startNew: string;
  /** Shown beside the button when the backend has an order for the checkout. */
  readonly paymentReceived: string;
  /** Shown beside the button, or over the widget, when the checkout has expired or cannot be signed again. */
  readonly checkoutEnded: string;
  /**
   * `{seconds}`: shown after `couldNotCheck`, beside the button "Continue checkout", if the backend says when to try
   * again.
   */
  readonly retryIn: PluralText;
  /** Follows `paymentReceived` if a second window is open for the paid checkout, and this page could not close it. */
  readonly closeOtherWindow: string;
  /** Shown in the bar above the widget when the backend has an order for the checkout. */
  readonly outcomePaid: string;
  /** Replaces `outcomePaid` when the cryptocurrency has arrived. */
  readonly outcomeDelivered: string;
  /** Replaces `outcomePaid` when every order of the checkout is under review. */
  readonly outcomeReview: string;
  /** Closes the dialog or the inline widget after the payment. */
  readonly backToShop: string;
  /** The button below a widget that has not been used within 8 seconds of loading. */
  readonly nothingHere: string;
  /** Shown beside the button while the checkout is open in another window. */
  readonly windowOpen: string;
  /**
   * Shown beside the button in place of `windowOpen` if the page cannot see the window: the service hides it, or the
   * shopper has closed it.
   */
  readonly windowHidden: string;
  /** Replaces `windowHidden` when the shopper clicks the button again. Followed by `resume` and `startNew`. */
  readonly findWindow: string;
  /** Shown when the shopper clicks the button again after paying in a hidden window. Followed by `startNew`. */
  readonly alreadyPaid: string;
  /** The button that moves the focus to the window of the checkout. It is beside `windowOpen`. */
  readonly showWindow: string;
  /** Continues a checkout that was closed before it was paid. */
  readonly resume: string;
}

export const checkoutEnglish: CheckoutMessages = {
  buy: 'Buy crypto',
  buyNft: 'Buy NFT',
  opening: 'Opening the checkout…',
  failed: 'The checkout could not be opened.',
  askShop: 'Choose something else, or contact the shop.',
  signIn: 'Sign in to buy.',
  offline: 'The shop could not be reached. Check your connection.',
  retry: 'Try again',
  reload: 'Reload the page to retry.',
  blocked: 'The window did not open.',
  openHere: 'Open the checkout here.',
  openInPlace: 'Open it in this window.',
  checkout: 'Checkout',
  close: 'Close the checkout',
  newWindow: 'Open in a new window',
  loading: 'Loading the checkout…',
  ready: 'The checkout is ready.',
  loadingSlowly: 'Still not loading? Open it in a new window.',
  paidQuestion: 'Have you already paid?',
  doNotPayAgain:
    "If you have paid, don't pay again. Your order appears on this page once the payment is confirmed.",
  paid: "Yes, I've paid",
  notPaid: 'No, continue in a new window',
  notPaidHere: 'No, try again',
  stayHere: 'Stay here',
  checkingPayment: 'Checking for your payment…',
  couldNotCheck: 'We could not check whether you have paid.',
  keepOpen: 'Keep it open',
  cannotContinue: "This checkout can't continue in a new window. You can start a new one there.",
  startNew: 'Start a new checkout',
  paymentReceived: "Your payment has been received. Don't pay again.",
  checkoutEnded: 'This checkout has ended. You can start a new one.',
  retryIn: {
    one: 'Try again in {seconds} second.',
    other: 'Try again in {seconds} seconds.',
  },
  closeOtherWindow: 'Close the other checkout window.',
  outcomePaid: 'Payment received',
  outcomeDelivered: 'Delivered',
  outcomeReview: 'Under review',
  backToShop: 'Back to the shop',
  nothingHere: 'Nothing here? Open it in a new window.',
  windowOpen: 'The checkout is open in another window.',
  windowHidden: 'The checkout is open in another window, unless you have closed it.',
  findWindow: 'Look for the other window first. If you pay in both, you buy twice.',
  alreadyPaid: 'You have already paid for this.',
  showWindow: 'Show the checkout window',
  resume: 'Continue',
};
