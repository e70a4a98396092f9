import type { ProposedParams } from '../../protocol/widget/OnRampParams.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';

/** The signed parameters, as text, that a page requests a signature for. */
export interface CheckoutProposal {
  readonly widget: Widget;
  readonly params: ProposedParams;
}

/** The backend's response: every signed parameter with its signature. Good for one opening. */
export interface SignedCheckout {
  /** The checkout's reference at the backend. */
  readonly reference?: string | undefined;
  /** Plain values; `signature` is plain base64. */
  readonly params: Readonly<Record<string, string>>;
  /** How long the signature may be used, counted from receipt. */
  readonly expiresInSeconds?: number | undefined;
}

/**
 * Fetches a signature from the partner's backend. {@link createHttpSigner} creates one; any function
 * of this type can replace it. An error that it throws reaches `onError`, wrapped as `ERR_SIGNER`
 * unless it is a `RampError`.
 */
export type CheckoutSigner = (
  proposal: CheckoutProposal,
  options: { readonly signal: AbortSignal },
) => Promise<SignedCheckout>;
