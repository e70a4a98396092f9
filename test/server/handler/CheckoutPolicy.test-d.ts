// `tsc` checks this file, and nothing runs it. Each `@ts-expect-error` marks code that the types must refuse: `tsc`
// fails if such a line has no type error.
import type { CheckoutGrant, CheckoutPolicy, WidgetSigner } from '../../../src/server/index.js';

declare const signer: WidgetSigner;
const subject = 'u1';
const walletAddress = '0xF0';
const nft = {
  contractAddress: '0x30',
  nftNetwork: 'polygon',
  type: 'MINT',
  mintQuantity: '1',
  transferWalletAddress: '0x53',
  cryptoCurrency: 'ETH',
  amount: '0.05',
  walletAddress,
  walletAddressTag: '',
} as const;
const { walletAddressTag: _, ...untagged } = nft;

export const granted: readonly CheckoutGrant[] = [
  { subject, params: { walletAddress, walletAddressLocked: '1' } },
  { subject, params: nft },
  { subject, params: { ...nft, walletAddressTag: '244017845', merchantOrderNo: '5' } },
  { subject, params: { walletAddress }, extraSignedParams: { timeout: '1767226500' } },
];

export const policy: CheckoutPolicy<unknown> = ({ widget }) => ({
  subject,
  params: widget === 'nft' ? nft : { walletAddress },
});

export const refused: readonly CheckoutGrant[] = [
  // @ts-expect-error walletAddressTag is missing. An NFT checkout must not pass as an on-ramp checkout with a wallet.
  { subject, params: untagged },
  // @ts-expect-error contractAddress needs the other NFT parameters.
  { subject, params: { walletAddress, contractAddress: '0x30' } },
  // @ts-expect-error walletAddressLocked is an on-ramp parameter, and this is an NFT checkout.
  { subject, params: { ...nft, walletAddressLocked: '1' } },
  // @ts-expect-error A value must be a string, not a number.
  { subject, params: { ...nft, mintQuantity: 1 } },
  // @ts-expect-error A policy must not set ext, because the handler sets it.
  { subject, params: { walletAddress, ext: 'x' } },
  // @ts-expect-error expectedamount is misspelt.
  { subject, params: { walletAddress }, expectedamount: '5' },
];

// @ts-expect-error timeout must be inside extraParams or extraSignedParams.
signer.sign('on-ramp', { walletAddress }, { timeout: '1767226500' });
// @ts-expect-error ext must be a string, not an object.
signer.sign('on-ramp', { walletAddress, ext: { order: 5 } });
