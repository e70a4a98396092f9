import type {
  NftParams,
  OnRampParams,
  ProposedParams,
} from '../../protocol/widget/OnRampParams.js';
import type { CheckoutIntent } from '../orders/store/CheckoutStore.js';
import type { SignExtras } from '../signing/WidgetSigner.js';

interface CheckoutRequestBase<Context> {
  /** The HTTP request; its body has been read. */
  readonly request: Request;
  /** What the framework knows: session, user. */
  readonly context: Context;
  /**
   * Set when the shopper continues this checkout in a new window. The `proposal` is that of the first
   * call. Grant the same as then, or throw to refuse: a grant with other parameters, another subject or
   * another expected amount is not signed. The handler keeps the first `merchantOrderNo`.
   */
  readonly continues?: CheckoutIntent | undefined;
}

/** What a page asks for. `proposal` comes from the client: never sign it as it is. */
export type CheckoutRequest<Context> = CheckoutRequestBase<Context> &
  (
    | { readonly widget: 'on-ramp'; readonly proposal: ProposedParams<'on-ramp'> }
    | { readonly widget: 'nft'; readonly proposal: ProposedParams<'nft'> }
  );

/** Each member of the union on its own, so that MARKET and MINT stay apart. */
type WithoutExt<Params> = Params extends unknown ? Omit<Params, 'ext'> : never;

/** What the partner's backend allows. */
export interface CheckoutGrant extends SignExtras {
  /** What is signed. `ext` is not among them: it carries the checkout's reference. */
  readonly params: WithoutExt<OnRampParams | NftParams>;
  /** Who it is granted to: a user or session id. Only this subject may read the checkout's state. */
  readonly subject: string;
  /** The fiat amount that the order must have, a decimal string. It needs `expectedFiatCurrency`. */
  readonly expectedAmount?: string | undefined;
  /** The fiat currency that the order must have: 100 JPY are not 100 USD, and the shopper chooses. */
  readonly expectedFiatCurrency?: string | undefined;
  /** The partner's own data, kept with the intent: JSON. */
  readonly metadata?: unknown;
}

/**
 * The partner's decision on one checkout. It knows the user, hence the wallet; it knows the
 * listing, hence the price. To refuse with words for the shopper, throw
 * `new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.')`; anything else that is thrown is
 * answered 403 with a general message.
 */
export type CheckoutPolicy<Context> = (
  asked: CheckoutRequest<Context>,
) => CheckoutGrant | Promise<CheckoutGrant>;
