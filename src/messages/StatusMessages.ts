/** The texts of the order card. A translation can place the `{placeholders}` in any order. */
export interface StatusMessages {
  /** The accessible name of the card. */
  readonly order: string;
  /** Announced by screen readers until the first response. */
  readonly orderLoading: string;

  readonly stepPayment: string;
  /** The second and third steps of an on-ramp checkout. */
  readonly stepTransfer: string;
  readonly stepDelivery: string;
  /** The second step of an NFT checkout. */
  readonly stepConfirmation: string;
  /** The states of a step as text, for screen readers and for steps without a time. */
  readonly stepDone: string;
  readonly stepInProgress: string;
  readonly stepUpcoming: string;
  /** Replaces `stepInProgress` when the checkout has expired or is under review. */
  readonly stepOnHold: string;

  /** A title for each state, and a hint that explains it to the shopper. */
  readonly waiting: string;
  readonly waitingHint: string;
  /** Replace `waiting` and `waitingHint` while the widget is closed and the card offers to continue. */
  readonly unpaid: string;
  readonly unpaidHint: string;
  /** The button that opens the widget of a waiting checkout again. */
  readonly continueCheckout: string;
  readonly unconfirmed: string;
  readonly unconfirmedHint: string;
  readonly delivered: string;
  readonly deliveredHint: string;
  /** `{amount}`: replaces `deliveredHint` when the delivered amount is known. */
  readonly deliveredAmount: string;
  readonly purchased: string;
  readonly purchasedHint: string;
  readonly expired: string;
  readonly expiredHint: string;
  readonly review: string;
  readonly reviewHint: string;
  /** One line below the steps of a paid NFT: the service is paying the partner, or has paid. */
  readonly settling: string;
  readonly settled: string;
  /** Shown below the hint of a paid checkout when another of its orders is under review. */
  readonly underReview: string;
  /** Replaces the state once the shop has resolved every order by hand, and has refunded the newest one. */
  readonly refunded: string;
  readonly refundedHint: string;
  /** Replaces `deliveredHint` if the shop delivered the newest order by hand. */
  readonly deliveredByHandHint: string;
  /** Replaces the state if the shop resolved the newest order as closed: nothing is left to do. */
  readonly closed: string;
  readonly closedHint: string;

  /** Shown when the backend cannot be reached. Requests are retried automatically. */
  readonly connectionLost: string;
  readonly connectionLostHint: string;
  /** Shown when the backend finds no such checkout for this user. */
  readonly unknownOrder: string;
  readonly unknownOrderHint: string;

  /** `{number}`: the heading of each order when a checkout has several. */
  readonly orderNumber: string;
  readonly youPaid: string;
  readonly youReceived: string;
  /** The label of an NFT's price in cryptocurrency. */
  readonly nftAmount: string;
  readonly network: string;
  readonly transaction: string;
  readonly copyHash: string;
  readonly copied: string;
  /** The link to the transaction. It opens in a new tab. */
  readonly viewTransaction: string;

  /**
   * The heading of a printed receipt. If the browser cannot copy or print the receipt, a text field shows it, and this
   * is the accessible name of the field.
   */
  readonly receipt: string;
  /** The label for the checkout's reference, below the order and in a receipt. */
  readonly reference: string;
  /** The label for the service's order ID, in the order and in a receipt. */
  readonly orderId: string;
  /** The receipt's label for the payment time, or for the finish time if no payment time is known. */
  readonly receiptDate: string;
  /** The buttons below a paid order. */
  readonly copyReceipt: string;
  readonly printReceipt: string;

  /** The heading above the shopper's other checkouts. */
  readonly otherOrders: string;
  /** The button that shows one of the other checkouts in the card. It is beside that checkout. */
  readonly showOrder: string;
}

/** The English texts of the order card. They are in a separate file, because a page may show only this card. */
export const statusEnglish: StatusMessages = {
  order: 'Your order',
  orderLoading: 'Loading your order…',
  stepPayment: 'Payment',
  stepTransfer: 'Transfer to your wallet',
  stepDelivery: 'Delivery',
  stepConfirmation: 'Confirmed',
  stepDone: 'Done',
  stepInProgress: 'In progress',
  stepUpcoming: 'Upcoming',
  stepOnHold: 'On hold',
  waiting: 'Waiting for your payment',
  waitingHint: 'Finish it in the checkout. This page updates automatically.',
  unpaid: 'Not paid yet',
  unpaidHint: "Continue where you left off. If you've paid, this updates by itself.",
  continueCheckout: 'Continue checkout',
  unconfirmed: 'Your order is being confirmed',
  unconfirmedHint: "This usually takes a few minutes. You don't need to do anything.",
  delivered: 'Delivered',
  deliveredHint: 'Your purchase has arrived in your wallet.',
  deliveredAmount: '{amount} arrived in your wallet.',
  purchased: 'Paid',
  purchasedHint: "Your payment was received. You don't need to do anything.",
  settling: 'Settlement with the seller in progress',
  settled: 'Settled with the seller',
  expired: 'No payment received',
  expiredHint:
    "If you've paid, don't pay again. Your order will appear here once the payment arrives.",
  review: 'Your order is under review',
  reviewHint:
    "Some details don't match, so the shop is reviewing this order. Please don't pay again.",
  underReview: 'The shop is reviewing another payment.',
  refunded: 'Refunded',
  refundedHint: 'The shop has sent your money back. It may take a few days to arrive.',
  deliveredByHandHint: 'The shop has completed your order for you.',
  closed: 'Review complete',
  closedHint:
    'The shop has checked this payment, and nothing is left to do. Questions? Contact the shop.',
  connectionLost: 'No connection to the shop',
  connectionLostHint: "Your order is safe. This page will update when you're back online.",
  unknownOrder: 'This order cannot be shown',
  unknownOrderHint: 'Your order is safe. Sign in with the account you bought it with.',
  orderNumber: 'Order {number}',
  youPaid: 'You paid',
  youReceived: 'You received',
  nftAmount: 'Price',
  network: 'Network',
  transaction: 'Transaction',
  copyHash: 'Copy the transaction ID',
  copied: 'Copied',
  viewTransaction: 'View the transaction in a new tab',
  receipt: 'Receipt',
  reference: 'Reference',
  orderId: 'Order number',
  receiptDate: 'Date',
  copyReceipt: 'Copy receipt',
  printReceipt: 'Print receipt',
  otherOrders: 'Other checkouts',
  showOrder: 'Show',
};
