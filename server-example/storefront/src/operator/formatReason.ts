const REASONS: Readonly<Record<string, string>> = {
  widget: 'It is an order of another kind than was agreed.',
  wallet: 'It went to another wallet than was agreed.',
  amount: 'Another amount was paid than was agreed.',
  currency: 'It was paid in another currency than was agreed.',
  nft: 'It is not the print that was agreed.',
  'second-order': 'This checkout had been paid before.',
  'sold-before': 'Somebody else paid for this print before.',
};

/** Why an order waits, in words. */
export const formatReason = (reason: string): string => REASONS[reason] ?? reason;
