import type { ReactNode } from 'react';
import type { NftPageData } from '../../checkout/pageData.js';
import type { Locale } from '../locale.js';
import type { WidgetMessages } from '../messages/en.js';
import { ELEMENT, fillWithElement, ShortText } from '../ShortText.js';

/** The messages about one NFT. They differ between an NFT that is sold and one that is minted. */
interface NftTexts {
  readonly name: ReactNode;
  /** What the shopper gets, for the summary. */
  readonly got: ReactNode;
  readonly chain: string;
  /** One sentence about the seller (if any) and one about the recipient, each with an address. */
  readonly parties: readonly { readonly role: string; readonly sentence: ReactNode }[];
  readonly delivery: readonly [going: keyof WidgetMessages, done: keyof WidgetMessages];
  readonly arrived: ReactNode;
}

export function createNftTexts({ t, formats }: Locale, nft: NftPageData['nft']): NftTexts {
  const chain = formatChainName(nft.nftNetwork);
  const step = (key: 'soldBy' | 'sentTo' | 'mintedTo', address: string) => ({
    role: key,
    sentence: fillWithElement(t(key, { wallet: ELEMENT }), <ShortText text={address} />),
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
  const id = <ShortText text={nft.tokenId ?? ''} />;
  const name = fillWithElement(t('token', { id: ELEMENT }), id);
  return {
    name,
    got: name,
    chain,
    parties: [
      ...(nft.ownerWalletAddress ? [step('soldBy', nft.ownerWalletAddress)] : []),
      step('sentTo', nft.transferWalletAddress),
    ],
    delivery: ['transferring', 'transferred'],
    arrived: fillWithElement(t('tokenDelivered', { token: ELEMENT }), name),
  };
}

/** The display names of the chains in section 4.7 of the service interface. */
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
