import type {
  NftParams,
  OnRampParams,
  ProposedParams,
} from '../../protocol/widget/OnRampParams.js';
import type { CheckoutIntent } from '../orders/store/CheckoutStore.js';
import type { SignExtras } from '../signing/createWidgetSigner.js';

interface CheckoutRequestBase<Context> {
  /** The HTTP request; its body has been read. */
  readonly request: Request;
  /** The value that the framework adapter passed, such as the session or the user. */
  readonly context: Context;
  /**
   * The intent of the checkout that the shopper continues in a new window. The `proposal` is the one of the
   * first call. Return the same grant as then, or throw to refuse: a grant with other parameters, another
   * subject or another expected amount is not signed. The handler keeps the first `merchantOrderNo`.
   */
  readonly continues?: CheckoutIntent | undefined;
}

/** The checkout that a page requests. The client sends `proposal`: never sign it unchecked. */
export type CheckoutRequest<Context> = CheckoutRequestBase<Context> &
  (
    | { readonly widget: 'on-ramp'; readonly proposal: ProposedParams<'on-ramp'> }
    | { readonly widget: 'nft'; readonly proposal: ProposedParams<'nft'> }
  );

/**
 * Parameters without `ext`, and without those of the other widget: an incomplete NFT would otherwise compile as a
 * complete on-ramp checkout. It distributes over a union, so that MARKET and MINT stay separate.
 */
type Granted<Params, Other> = Params extends unknown
  ? Omit<Params, 'ext'> & { readonly [N in Exclude<keyof Other, keyof Params>]?: undefined }
  : never;

/** The checkout that the partner's backend allows. */
export interface CheckoutGrant extends SignExtras {
  /** The parameters to sign, without `ext`, which carries the checkout's reference. */
  readonly params: Granted<OnRampParams, NftParams> | Granted<NftParams, OnRampParams>;
  /** The user or session id of the shopper. Only this subject may read the state of the checkout. */
  readonly subject: string;
  /** The fiat amount that the order must have, a decimal string. Requires `expectedFiatCurrency`. */
  readonly expectedAmount?: string | undefined;
  /** The ISO code of the fiat currency that the order must have. The shopper chooses it, and 100 JPY are not 100 USD. */
  readonly expectedFiatCurrency?: string | undefined;
  /** The partner's data to store with the intent: any JSON value. */
  readonly metadata?: unknown;
}

/**
 * Decides on one checkout, and returns the parameters to sign. Take the wallet from the user and the price
 * from the listing, never from the proposal. To refuse with a message for the shopper, throw
 * `new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.')`; any other error becomes a 403 with a general
 * message.
 */
export type CheckoutPolicy<Context> = (
  request: CheckoutRequest<Context>,
) => CheckoutGrant | Promise<CheckoutGrant>;
