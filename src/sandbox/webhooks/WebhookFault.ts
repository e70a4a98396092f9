/** The faults that can be injected into a webhook. */
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
 * `lost`: never sent. `late`: sent seconds later. `twice`: sent twice, unchanged. `out-of-order`: held
 * back until the next webhook has been sent. `forged-body`: a valid signature over a body with another
 * order. `wrong-signature`: a signature of another text. `old-timestamp`: signed ten minutes ago.
 */
export type WebhookFault = (typeof webhookFaults)[number];
