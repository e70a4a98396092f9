/** What may happen to a webhook on its way, as it does in the world. */
export const webhookFaults = [
  'lost',
  'late',
  'twice',
  'out-of-order',
  'forged-body',
  'wrong-signature',
  'old-timestamp',
] as const;

/**
 * `lost`: never sent. `late`: sent seconds later. `twice`: the same one two times. `out-of-order`: held
 * back until the next has been sent. `forged-body`: signed, with another order in its body.
 * `wrong-signature`: under a signature of something else. `old-timestamp`: signed ten minutes ago.
 */
export type WebhookFault = (typeof webhookFaults)[number];
