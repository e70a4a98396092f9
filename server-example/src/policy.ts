import { type CheckoutPolicy, RampError } from '@partner-ramp/react/server';
import { nftOrder } from './nft-order.js';
import type { Shopper } from './shopper.js';

/** What the ramp handler learns of a request beside the request. */
export interface ShopContext {
  readonly shopper: Shopper | undefined;
}

/**
 * Decides what this shop signs. Anybody can propose anything, so of a print the page chooses which
 * and how many, and nothing else: price, contract and wallets come from the shop's own listing and
 * the session. At a top-up nothing that it proposes is looked at; the wallet is the signed-in
 * shopper's and is locked.
 */
export const policy: CheckoutPolicy<ShopContext> = ({ widget, proposal, context: { shopper } }) => {
  if (!shopper)
    throw new RampError(
      'ERR_POLICY_REFUSED',
      `Sign in to buy: the ${widget === 'nft' ? 'print' : 'crypto'} goes to the wallet of your account.`,
    );
  return {
    params:
      widget === 'nft'
        ? nftOrder(proposal, shopper)
        : { walletAddress: shopper.wallet, walletAddressLocked: '1' },
    subject: shopper.id,
  };
};
