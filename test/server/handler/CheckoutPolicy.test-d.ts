// `tsc` checks this file, and nothing runs it. Each `@ts-expect-error` marks code that the types must refuse: `tsc`
// fails if such a line has no type error.
import {
  type CheckoutGrant,
  type CheckoutPolicy,
  type CheckoutRequest,
  findFixedAmount,
  type WidgetSigner,
} from '../../../src/server/index.js';

declare const signer: WidgetSigner;
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
  { params: { walletAddress, walletAddressLocked: '1' } },
  { params: nft },
  { params: { ...nft, walletAddressTag: '244017845', merchantOrderNo: '5' } },
  { params: { walletAddress }, extraSignedParams: { timeout: '1767226500' } },
];

export const policy: CheckoutPolicy = ({ widget }) => ({
  params: widget === 'nft' ? nft : { walletAddress },
});

export const refused: readonly CheckoutGrant[] = [
  // @ts-expect-error walletAddressTag is missing. An NFT checkout must not pass as an on-ramp checkout with a wallet.
  { params: untagged },
  // @ts-expect-error contractAddress needs the other NFT parameters.
  { params: { walletAddress, contractAddress: '0x30' } },
  // @ts-expect-error walletAddressLocked is an on-ramp parameter, and this is an NFT checkout.
  { params: { ...nft, walletAddressLocked: '1' } },
  // @ts-expect-error A value must be a string, not a number.
  { params: { ...nft, mintQuantity: 1 } },
  // @ts-expect-error A policy must not set ext, because the handler sets it.
  { params: { walletAddress, ext: 'x' } },
  // @ts-expect-error The shopper is who getShopper returns, so a policy returns no subject.
  { subject: 'u1', params: { walletAddress } },
  // @ts-expect-error expectedamount is misspelt.
  { params: { walletAddress }, expectedamount: '5' },
];

// @ts-expect-error timeout must be inside extraParams or extraSignedParams.
signer.sign('on-ramp', { walletAddress }, { timeout: '1767226500' });
// @ts-expect-error ext must be a string, not an object.
signer.sign('on-ramp', { walletAddress, ext: { order: 5 } });

declare const request: CheckoutRequest;
const { selection } = request;

export const checked: readonly CheckoutGrant[] = [
  { params: { walletAddress }, ...findFixedAmount(selection) },
  { params: { walletAddress }, metadata: selection },
];

export const unchecked: readonly CheckoutGrant[] = [
  // @ts-expect-error The page may have sent any text as its currency.
  { params: { walletAddress: selection.cryptoCurrency } },
  // @ts-expect-error The same holds after a test that there is a value.
  { params: { walletAddress: selection.cryptoCurrency ?? walletAddress } },
  // @ts-expect-error An NFT checkout signs its amount, so it must not be that of the page.
  { params: { ...nft, amount: selection.amount } },
  // @ts-expect-error A whole selection is not a set of parameters.
  { params: { walletAddress, ...selection } },
  // @ts-expect-error The shopper may change this amount in the widget: see findFixedAmount.
  { params: { walletAddress }, expectedAmount: selection.amount },
  // @ts-expect-error Extra parameters are sent, and extra signed ones are signed.
  { params: { walletAddress }, extraSignedParams: { coin: selection.defaultCurrency } },
];

// @ts-expect-error A comparison with text is always false: convert it with String() first.
export const isEuro = selection.fiatCurrency === 'EUR';
// @ts-expect-error An unchecked name must not select a wallet.
export const chosen = { ETH: walletAddress }[selection.defaultCurrency ?? 'ETH'];
// @ts-expect-error The signer refuses it too.
signer.sign('on-ramp', { walletAddress: selection.defaultCurrency });
