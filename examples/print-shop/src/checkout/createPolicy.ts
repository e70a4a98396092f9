import { type CheckoutPolicy, chooseWallet, RampError } from '@partner-ramp/react/server';
import { listings } from '../prints/listings.js';
import type { PrintReservations, PrintState } from '../prints/printReservations.js';
import type { Shopper } from '../session/Shopper.js';
import { toNftParams } from './toNftParams.js';

/**
 * Creates the policy that selects the parameters to sign. Any caller can send any proposal, so the policy takes only
 * the print and the quantity from it. Price, contract and wallets come from the shop's listing and the session.
 *
 * For a top-up the policy ignores the proposal. It locks the signed-in shopper's wallet on the chain of the selected
 * coin, and refuses a coin for which the shopper has no wallet.
 *
 * A print that exists once is reserved for the shopper first. Until the reservation ends, the policy refuses other
 * shoppers.
 *
 * This shop does not know the fiat amount in advance: shoppers choose the amount of a top-up, and prints have a price
 * in crypto. A shop with fiat prices also returns `expectedAmount` and `expectedFiatCurrency`, so that an order with
 * another amount is quarantined.
 *
 * @param now - Milliseconds since 1970.
 */
export function createPolicy(
  reservations: Pick<PrintReservations, 'reserve'>,
  now: () => number,
): CheckoutPolicy<Shopper> {
  return async ({ widget, proposal, selection, shopper }) => {
    if (widget === 'on-ramp') {
      const walletAddress = chooseWallet(selection, shopper.wallets);
      return { params: { walletAddress, walletAddressLocked: '1' } };
    }
    const params = toNftParams(proposal, shopper);
    if (params.type === 'MARKET') {
      const print = params.merchantUniqueId ?? '';
      assertAvailable(print, await reservations.reserve(print, shopper), now());
    }
    return { params };
  };
}

function assertAvailable(print: string, state: PrintState, now: number): void {
  if (state.state === 'for-sale') return;
  const title = listings.find(({ id }) => id === print)?.title;
  if (state.state !== 'held')
    throw new RampError('ERR_POLICY_REFUSED', `“${title}” has already been sold.`);
  throw new RampError(
    'ERR_POLICY_REFUSED',
    `Another shopper is buying “${title}”. If they don’t pay, it will be available in ${formatMinutesUntil(state.heldUntil, now)}.`,
  );
}

function formatMinutesUntil(time: number, now: number): string {
  const minutes = Math.max(1, Math.ceil((time - now / 1000) / 60));
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
