import type { RowOf } from '../../protocol/widget/widgetParameters.js';
import type { ParameterProps } from './OnRampParameters.js';

type Given = Exclude<RowOf<'nft'>, { managed: true } | { name: 'partnerId' }>;
type OfType = Extract<Given, { required: 'MARKET' | 'MINT' } | { name: 'type' }>;

/** The parameters for buying an NFT from its owner. */
type Market = {
  readonly type: 'MARKET';
  readonly tokenId: string;
  readonly ownerWalletAddress: string;
  readonly mintQuantity?: undefined;
};

/** The parameters that depend on `type`, for an NFT that is minted: it has no token ID and no owner yet. */
type Mint = {
  readonly type: 'MINT';
  readonly mintQuantity: string | number;
  readonly tokenId?: undefined;
  readonly ownerWalletAddress?: undefined;
};

/**
 * The parameters for an NFT that the backend's policy looks up in its own listing: neither `type` nor any parameter
 * that depends on it is set.
 */
type OfListing = { readonly [R in OfType as R['name']]?: undefined };

/**
 * The parameters of NFT checkout as props (service interface, section 4.7). They are only proposals, because the
 * backend's policy sets the signed values. So it is enough to pass an id that the policy can look up, such as
 * `merchantUniqueId`. `amount` is a decimal string: the price in `cryptoCurrency`.
 */
export type NftParameterProps = ParameterProps<Exclude<Given, OfType>> &
  (Market | Mint | OfListing);
