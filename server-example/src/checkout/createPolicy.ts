import { type CheckoutPolicy, RampError } from '@partner-ramp/react/server';
import { listings } from '../prints/listings.js';
import type { PrintReservations, ReservationState } from '../prints/printReservations.js';
import type { Shopper } from '../session/Shopper.js';
import { toNftParams } from './toNftParams.js';

/** What the ramp handler learns of a request beside the request. */
export interface ShopContext {
  readonly shopper: Shopper | undefined;
}

/**
 * Decides what this shop signs. Anybody can propose anything, so of a print the page chooses which
 * and how many, and nothing else: price, contract and wallets come from the shop's own listing and
 * the session. At a top-up nothing that it proposes is looked at; the wallet is the signed-in
 * shopper's and is locked.
 *
 * A print of which there is one is held for whom it is signed for, and is signed for nobody else then.
 *
 * What is paid in fiat this shop does not know beforehand: how much to top up is the shopper's choice,
 * and prints have their price in crypto. A shop that does adds `expectedAmount` and
 * `expectedFiatCurrency` to the answer, and an order of another sum is quarantined.
 *
 * @param now - Milliseconds since 1970.
 */
export function createPolicy(
  reservations: Pick<PrintReservations, 'reserve'>,
  now: () => number,
): CheckoutPolicy<ShopContext> {
  return async ({ widget, proposal, context: { shopper } }) => {
    if (!shopper)
      throw new RampError(
        'ERR_POLICY_REFUSED',
        `Sign in to buy: the ${widget === 'nft' ? 'print' : 'crypto'} goes to the wallet of your account.`,
      );
    const subject = shopper.id;
    if (widget === 'on-ramp')
      return { params: { walletAddress: shopper.wallet, walletAddressLocked: '1' }, subject };
    const params = toNftParams(proposal, shopper);
    if (params.type === 'MARKET') {
      const print = params.merchantUniqueId ?? '';
      assertAvailable(print, await reservations.reserve(print, shopper), now());
    }
    return { params, subject };
  };
}

function assertAvailable(print: string, state: ReservationState, now: number): void {
  if (state.state === 'for-sale') return;
  const title = listings.find(({ id }) => id === print)?.title;
  if (state.state === 'paused')
    throw new RampError(
      'ERR_POLICY_REFUSED',
      `You had “${title}” reserved for as long as we can without a payment. Others go first now; you can reserve it again in ${formatMinutesUntil(state.pausedUntil, now)}.`,
    );
  if (state.state !== 'held')
    throw new RampError('ERR_POLICY_REFUSED', `“${title}” is sold: there is one of it.`);
  throw new RampError(
    'ERR_POLICY_REFUSED',
    `Somebody else is buying “${title}” just now. If they do not pay, it is free in ${formatMinutesUntil(state.heldUntil, now)}.`,
  );
}

function formatMinutesUntil(time: number, now: number): string {
  const minutes = Math.max(1, Math.ceil((time - now / 1000) / 60));
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
