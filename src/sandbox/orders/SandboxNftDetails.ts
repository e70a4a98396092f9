/** The NFT of a URL and its order (docs/service-interface.md section 2.7). */
export interface SandboxNftDetails {
  readonly contractAddress: string;
  readonly nftNetwork: string;
  readonly type: 'MARKET' | 'MINT';
  readonly tokenId?: string | undefined;
  readonly mintQuantity?: number | undefined;
  readonly ownerWalletAddress?: string | undefined;
  readonly transferWalletAddress: string;
  readonly merchantUniqueId?: string | undefined;
  readonly merchantOrderNo?: string | undefined;
  readonly externalCustomerId?: string | undefined;
}

/** Parses the NFT of a URL. Signed parameters that its type does not need are kept. */
export function parseNftDetails(params: Readonly<Record<string, string>>): SandboxNftDetails {
  const pickGiven = (name: string) => params[name] !== undefined && { [name]: params[name] };
  return {
    contractAddress: params.contractAddress ?? '',
    nftNetwork: params.nftNetwork ?? '',
    type: params.type === 'MINT' ? 'MINT' : 'MARKET',
    ...pickGiven('tokenId'),
    ...(params.mintQuantity !== undefined && { mintQuantity: Number(params.mintQuantity) }),
    ...pickGiven('ownerWalletAddress'),
    transferWalletAddress: params.transferWalletAddress ?? '',
    ...pickGiven('merchantUniqueId'),
    ...pickGiven('merchantOrderNo'),
    ...pickGiven('externalCustomerId'),
  };
}
