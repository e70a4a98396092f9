import type { NftPageData } from '../../checkout/pageData.js';
import { type Locale, shortenMiddle } from '../locale.js';
import type { WidgetMessages } from '../messages/en.js';

/** The messages about one NFT. They differ between an NFT that is sold and one that is minted. */
interface NftTexts {
  readonly name: string;
  /** What the shopper gets, for the summary. */
  readonly got: string;
  readonly chain: string;
  /**
   * One sentence about the seller (if any) and one about the recipient. A sentence shortens the address; `address` is
   * complete.
   */
  readonly parties: readonly { readonly sentence: string; readonly address: string }[];
  readonly delivery: readonly [going: keyof WidgetMessages, done: keyof WidgetMessages];
  readonly arrived: string;
}

export function createNftTexts({ t, formats }: Locale, nft: NftPageData['nft']): NftTexts {
  const chain = formatChainName(nft.nftNetwork);
  const step = (key: 'soldBy' | 'sentTo' | 'mintedTo', address: string) => ({
    sentence: t(key, { wallet: shortenMiddle(address) }),
    address,
  });
  if (nft.type === 'MINT') {
    const count = formats.number(String(nft.mintQuantity ?? 1), 0);
    return {
      name: t('mint', { count }),
      got: `NFT × ${count}`,
      chain,
      parties: [step('mintedTo', nft.transferWalletAddress)],
      delivery: ['minting', 'minted'],
      arrived: t('mintDelivered', { count }),
    };
  }
  const name = t('token', { id: shortenMiddle(nft.tokenId ?? '') });
  return {
    name,
    got: name,
    chain,
    parties: [
      ...(nft.ownerWalletAddress ? [step('soldBy', nft.ownerWalletAddress)] : []),
      step('sentTo', nft.transferWalletAddress),
    ],
    delivery: ['transferring', 'transferred'],
    arrived: t('tokenDelivered', { token: name }),
  };
}

/** The display names of the chains in docs/service-interface.md section 4.7. */
const names: Readonly<Record<string, string>> = {
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  bsc: 'BNB Smart Chain',
  optimism: 'Optimism',
  arbitrum: 'Arbitrum',
  avalanche: 'Avalanche',
  fantom: 'Fantom',
  celo: 'Celo',
  harmony: 'Harmony',
};

/** The chains as they are spelt in URLs. */
export const chains: readonly string[] = Object.keys(names);

/** Returns the display name of a chain, or the spelling in the URL for an undocumented chain. */
const formatChainName = (network: string): string =>
  Object.hasOwn(names, network) ? (names[network] as string) : network;
