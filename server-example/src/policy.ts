import { type CheckoutPolicy, RampError } from '@partner-ramp/react/server';
import type { Shopper } from './shopper.js';

/** What the ramp handler learns of a request beside the request. */
export interface ShopContext {
  readonly shopper: Shopper | undefined;
}

/**
 * Decides what this shop signs. The wallet is the signed-in shopper's and is locked; what the page
 * proposes is never looked at, because anybody can propose anything.
 */
export const policy: CheckoutPolicy<ShopContext> = ({ widget, context: { shopper } }) => {
  if (!shopper)
    throw new RampError(
      'ERR_POLICY_REFUSED',
      'Sign in to buy: the crypto goes to the wallet of your account.',
    );
  if (widget === 'nft')
    throw new RampError('ERR_POLICY_REFUSED', 'The prints are on show and cannot be bought yet.');
  return {
    params: { walletAddress: shopper.wallet, walletAddressLocked: '1' },
    subject: shopper.id,
  };
};
