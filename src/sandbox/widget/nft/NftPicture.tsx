import { useMemo } from 'react';
import type { NftPageData } from '../../checkout/pageData.js';
import { createNftArt } from './createNftArt.js';

/** Draws a decorative picture from contract and token, because the service has no other picture. */
export function NftPicture({ nft }: { nft: NftPageData['nft'] }) {
  // The case of an address is only a checksum.
  const name = `${nft.nftNetwork} ${nft.contractAddress.toLowerCase()} ${nft.tokenId ?? ''}`;
  const { sky, sun, sunFill, ridges } = useMemo(() => createNftArt(name), [name]);
  return (
    <svg className="nft-picture" viewBox="0 0 96 96" aria-hidden="true">
      <rect width="96" height="96" fill={sky} />
      <circle {...sun} fill={sunFill} />
      {ridges.map(({ d, fill }) => (
        <path key={d} d={d} fill={fill} />
      ))}
    </svg>
  );
}
