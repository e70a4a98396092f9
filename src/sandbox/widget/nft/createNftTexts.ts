import type { NftPageData } from '../../checkout/pageData.js';
import type { Locale } from '../locale/Locale.js';
import { shortenMiddle } from '../locale/shortenMiddle.js';
import type { WidgetMessages } from '../messages/WidgetMessages.js';
import { formatChainName } from './formatChainName.js';

/** The texts about an NFT, which is sold or minted. */
interface NftTexts {
  readonly name: string;
  /** The same for the summary of received items. */
  readonly got: string;
  readonly chain: string;
  /** The seller, if any, and the recipient, each with the full address. */
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
