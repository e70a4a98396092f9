import { type CheckoutPolicy, chooseWallet, RampError } from '@partner-ramp/react/server';
import type { Shopper } from './shoppers.js';

/**
 * Decides what is signed: the wallet of the signed-in shopper. The policy is called only for a signed-in shopper.
 *
 * The page also sends a `proposal`, which may contain a wallet. Anyone can send any proposal, so nothing is taken from
 * it. The `selection` names the coin that the shopper has chosen. It is untrusted as well, but it can only choose among
 * the shopper's own wallets.
 */
export const policy: CheckoutPolicy<Shopper> = ({ widget, selection, shopper }) => {
  if (widget !== 'on-ramp')
    throw new RampError('ERR_POLICY_REFUSED', 'This shop sells crypto only.');
  return {
    params: {
      // The wallet on the chain of the coin. Without one, the shopper reads "Add a Bitcoin wallet to buy BTC."
      walletAddress: chooseWallet(selection, shopper.wallets),
      // Without the lock, the shopper could enter another wallet, and the order would still be delivered.
      walletAddressLocked: '1',
    },
  };
};
