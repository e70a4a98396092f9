import { randomUUID } from 'node:crypto';
import type { NftParams, ProposedParams } from '@partner-ramp/react/protocol';
import { RampError } from '@partner-ramp/react/server';
import { getMaxQuantity, getPrice, type Listing, listings } from '../prints/listings.js';
import type { Shopper } from '../session/Shopper.js';

/** The parameters that the page chooses. */
type NftProposal = Pick<ProposedParams<'nft'>, 'merchantUniqueId' | 'mintQuantity'>;

/**
 * Creates the parameters to sign for a print. The proposal only selects the listing and the quantity. All other
 * parameters come from the listing and the shopper.
 *
 * @throws RampError `ERR_POLICY_REFUSED` when the print is not for sale or the quantity is invalid.
 */
export function toNftParams(proposal: NftProposal, shopper: Shopper): NftParams {
  const listing = listings.find(({ id }) => id === proposal.merchantUniqueId);
  if (!listing) throw new RampError('ERR_POLICY_REFUSED', 'This print is not for sale.');
  const quantity = parseQuantity(listing, proposal);
  return {
    merchantUniqueId: listing.id,
    merchantOrderNo: randomUUID(),
    externalCustomerId: shopper.customerNo,
    contractAddress: listing.contractAddress,
    nftNetwork: listing.nftNetwork,
    cryptoCurrency: listing.cryptoCurrency,
    amount: getPrice(listing, quantity),
    ...listing.settlement,
    transferWalletAddress: shopper.wallets.evm,
    ...(listing.type === 'MINT'
      ? { type: listing.type, mintQuantity: `${quantity}` }
      : {
          type: listing.type,
          tokenId: listing.tokenId,
          ownerWalletAddress: listing.ownerWalletAddress,
        }),
  };
}

function parseQuantity(listing: Listing, { mintQuantity = '' }: NftProposal): number {
  // A `MARKET` print exists once, so ignore the proposed quantity.
  if (listing.type === 'MARKET') return 1;
  const most = getMaxQuantity(listing);
  if (/^[1-9]\d{0,8}$/.test(mintQuantity) && Number(mintQuantity) <= most)
    return Number(mintQuantity);
  throw new RampError(
    'ERR_POLICY_REFUSED',
    `Choose the quantity of “${listing.title}”: a whole number from 1 to ${most}.`,
  );
}
