import type { CheckoutIntent } from '@partner-ramp/react/server';

/** Converts an intent to a row of `shop_checkouts`. */
export const toCheckoutRow = ({ reference, subject, params, createdAt }: CheckoutIntent) => ({
  reference,
  subject,
  print_id: params.merchantUniqueId ?? null,
  quantity: Number(params.mintQuantity ?? 1),
  opened_at: createdAt,
  has_order: 0,
});
