// Checked by `tsc`, never run: code that the types must refuse. An unmet expectation is an error.
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
  // @ts-expect-error An NFT checkout needs its tag. A wallet alone does not make it an on-ramp checkout.
  { subject, params: untagged },
  // @ts-expect-error The contract of an NFT without the rest.
  { subject, params: { walletAddress, contractAddress: '0x30' } },
  // @ts-expect-error An on-ramp parameter of an NFT checkout.
  { subject, params: { ...nft, walletAddressLocked: '1' } },
  // @ts-expect-error A number.
  { subject, params: { ...nft, mintQuantity: 1 } },
  // @ts-expect-error The handler sets ext.
  { subject, params: { walletAddress, ext: 'x' } },
  // @ts-expect-error A misspelt field.
  { subject, params: { walletAddress }, expectedamount: '5' },
];

// @ts-expect-error An extra parameter outside the two options for it.
signer.sign('on-ramp', { walletAddress }, { timeout: '1767226500' });
// @ts-expect-error An object as ext.
signer.sign('on-ramp', { walletAddress, ext: { order: 5 } });
