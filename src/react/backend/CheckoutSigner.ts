import type { ProposedParams } from '../../protocol/widget/OnRampParams.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';

/** The signed parameters that a page proposes to the backend, as text. */
export interface CheckoutProposal {
  /** The widget that the checkout opens. */
  readonly widget: Widget;
  /** The proposed parameters by name. */
  readonly params: ProposedParams;
}

/** The backend's response: every signed parameter with its signature. Valid for one opening. */
export interface SignedCheckout {
  /** The checkout's reference at the backend. */
  readonly reference?: string | undefined;
  /** The parameters as plain values; `signature` is plain base64. */
  readonly params: Readonly<Record<string, string>>;
  /** How long the signature may be used after receipt, in seconds. @default `maxAgeSeconds` of the component */
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
