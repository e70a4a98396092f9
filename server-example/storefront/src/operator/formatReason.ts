const REASONS: Readonly<Record<string, string>> = {
  widget: 'The order is of a different kind than the checkout.',
  wallet: 'The crypto was sent to a different wallet than the checkout’s.',
  amount: 'The amount differs from the checkout’s.',
  currency: 'The currency differs from the checkout’s.',
  nft: 'The print differs from the checkout’s.',
  'second-order': 'This checkout was already paid.',
  'sold-before': 'Another shopper paid for this print first.',
  'paid-again':
    'This checkout has an earlier order. Check whether the shopper paid twice by mistake.',
};

/** Describes the reason of a case. */
export const formatReason = (reason: string): string => REASONS[reason] ?? reason;
