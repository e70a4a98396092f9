/** The texts of the state of a checkout. What stands in braces is filled in, in any order. */
export interface StatusMessages {
  /** The name of the card, for a screen reader. */
  readonly order: string;
  /** Until the first answer, for a screen reader. */
  readonly orderLoading: string;

  readonly stepPayment: string;
  /** The second and third steps of an on-ramp order. */
  readonly stepTransfer: string;
  readonly stepDelivery: string;
  /** The second to fourth steps of an NFT order. */
  readonly stepPurchase: string;
  readonly stepHandover: string;
  readonly stepSettlement: string;
  /** Beside each step, for who does not see its mark. */
  readonly stepDone: string;
  readonly stepInProgress: string;
  readonly stepUpcoming: string;
  /** In place of `stepInProgress` where nothing moves at present. */
  readonly stepOnHold: string;

  /** Each state in a few words, and what it means for the shopper. */
  readonly waiting: string;
  readonly waitingHint: string;
  readonly unconfirmed: string;
  readonly unconfirmedHint: string;
  readonly delivered: string;
  readonly deliveredHint: string;
  /** `{amount}`: in place of `deliveredHint` where it is known what arrived. */
  readonly deliveredAmount: string;
  readonly purchased: string;
  readonly purchasedHint: string;
  readonly settling: string;
  readonly settlingHint: string;
  readonly settled: string;
  readonly settledHint: string;
  readonly expired: string;
  readonly expiredHint: string;
  readonly review: string;
  readonly reviewHint: string;
  /** Below the hint of a paid checkout, when another of its orders is under review. */
  readonly underReview: string;

  /** The backend does not answer; it is asked again by itself. */
  readonly connectionLost: string;
  readonly connectionLostHint: string;
  /** The backend says that there is no such checkout for who asks. */
  readonly unknownOrder: string;
  readonly unknownOrderHint: string;

  /** Above the figures of one of several orders: `{number}`. */
  readonly orderNumber: string;
  readonly youPaid: string;
  readonly youReceived: string;
  /** What an NFT cost in its cryptocurrency. */
  readonly nftAmount: string;
  readonly network: string;
  readonly transaction: string;
  readonly copyHash: string;
  readonly copied: string;
  /** The link to the transaction, which opens in a tab of its own. */
  readonly viewTransaction: string;

  /** Above the shopper's other checkouts, where there are several. */
  readonly otherOrders: string;
  /** The button beside each of them. */
  readonly showOrder: string;
}

/** In English; apart from the other texts, as a page may show nothing else. */
export const statusEnglish: StatusMessages = {
  order: 'Your order',
  orderLoading: 'Loading your order…',
  stepPayment: 'Payment',
  stepTransfer: 'Transfer to your wallet',
  stepDelivery: 'Delivery',
  stepPurchase: 'Confirmation',
  stepHandover: 'Handover to settlement',
  stepSettlement: 'Settlement',
  stepDone: 'done',
  stepInProgress: 'in progress',
  stepUpcoming: 'to come',
  stepOnHold: 'on hold',
  waiting: 'Waiting for your payment',
  waitingHint: 'Finish it in the checkout. What happens is shown here by itself.',
  unconfirmed: 'Your order is being confirmed',
  unconfirmedHint: 'This usually takes a few minutes. There is nothing you need to do.',
  delivered: 'Delivered',
  deliveredHint: 'What you bought has arrived in your wallet.',
  deliveredAmount: '{amount} arrived in your wallet.',
  purchased: 'Paid',
  purchasedHint: 'Your payment has arrived. The rest goes on by itself.',
  settling: 'Being settled',
  settlingHint: 'Your purchase is paid. There is nothing you need to do.',
  settled: 'Completed',
  settledHint: 'Your purchase is paid and settled.',
  expired: 'No payment has arrived',
  expiredHint:
    'If you have paid, do not pay again: your order will still show here once it arrives.',
  review: 'Your order is being checked',
  reviewHint:
    'It is not quite as it was agreed, so somebody at the shop is looking at it. Please do not pay again.',
  underReview: 'One more payment is being reviewed by the shop.',
  connectionLost: 'No connection to the shop',
  connectionLostHint: 'Nothing is lost: your order goes on, and this page catches up by itself.',
  unknownOrder: 'This order cannot be shown',
  unknownOrderHint: 'Are you signed in to the account that you bought it with? Nothing is lost.',
  orderNumber: 'Order {number}',
  youPaid: 'You paid',
  youReceived: 'You received',
  nftAmount: 'Price',
  network: 'Network',
  transaction: 'Transaction',
  copyHash: 'Copy the transaction number',
  copied: 'Copied',
  viewTransaction: 'View the transaction in a new tab',
  otherOrders: 'Other checkouts',
  showOrder: 'Show',
};
