import type { NftPageData } from '../../checkout/pageData.js';
import { useLocale } from '../locale/Locale.js';
import { CopyText } from '../order/CopyText.js';
import { createNftTexts } from './createNftTexts.js';
import { NftPicture } from './NftPicture.js';

/** Shows the NFT: its picture, name, contract and recipient. */
export function NftItem({ nft }: { nft: NftPageData['nft'] }) {
  const words = useLocale();
  const { name, chain, parties } = createNftTexts(words, nft);
  return (
    <>
      <div className="nft">
        <NftPicture nft={nft} />
        <div className="nft-details">
          <p className="nft-name" title={nft.tokenId}>
            <bdi>{name}</bdi>
          </p>
          <p className="hint">{chain}</p>
          <p className="nft-contract hint">
            {words.t('contract')} <CopyText text={nft.contractAddress} />
          </p>
        </div>
      </div>
      <div className="nft-delivery hint">
        {parties.map(({ sentence, address }) => (
          <p key={sentence} title={address}>
            {sentence}
          </p>
        ))}
      </div>
    </>
  );
}
