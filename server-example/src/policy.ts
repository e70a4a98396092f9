import { type CheckoutPolicy, RampError } from '@partner-ramp/react/server';
import type { PrintDesk, PrintState } from './prints/createPrintDesk.js';
import { listings } from './prints/listings.js';
import { nftOrder } from './prints/nft-order.js';
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
  desk: Pick<PrintDesk, 'hold'>,
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
    const params = nftOrder(proposal, shopper);
    if (params.type === 'MARKET') {
      const print = params.merchantUniqueId ?? '';
      refuseUnlessFree(print, await desk.hold(print, subject), now());
    }
    return { params, subject };
  };
}

function refuseUnlessFree(print: string, state: PrintState, now: number): void {
  if (state.state === 'for-sale') return;
  const title = listings.find(({ id }) => id === print)?.title;
  if (state.state !== 'held')
    throw new RampError('ERR_POLICY_REFUSED', `“${title}” is sold: there is one of it.`);
  const minutes = Math.max(1, Math.ceil((state.heldUntil - now / 1000) / 60));
  throw new RampError(
    'ERR_POLICY_REFUSED',
    `Somebody else is buying “${title}” just now. If they do not pay, it is free in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  );
}
