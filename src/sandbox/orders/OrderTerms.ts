import type { Purchase } from '../catalog/pricing/createOnRampQuote.js';
import type { SandboxNftDetails } from './SandboxNftDetails.js';

/** The terms of an order of either kind. */
export interface OrderTerms extends Purchase {
  readonly email: string;
  /** The wallet that receives the cryptocurrency; for an NFT the wallet that receives its price. */
  readonly walletAddress: string;
  readonly walletAddressTag?: string;
  readonly nft?: SandboxNftDetails;
}
