import fc from 'fast-check';
import type { Widget } from '../../../src/protocol/index.js';

// A sample of the printable ASCII characters that a signed value may contain. It must not contain & = % + # or ?.
const signable = fc
  .array(fc.constantFrom(...'!"$\'()*,-./0189:;<>@AZ[\\]^_`az{|}~'), {
    minLength: 1,
    maxLength: 40,
  })
  .map((characters) => characters.join(''));
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const code = fc.stringMatching(/^[A-Z]{2,5}(_[A-Za-z0-9]{2,8})?$/);
const fiat = fc.stringMatching(/^[A-Z]{3}$/);
const flag = fc.constantFrom('0', '1');
const whole = fc.integer({ min: 1, max: 999_999 }).map(String);
const fiatAmount = fc
  .tuple(fc.integer({ min: 0, max: 1e9 }), fc.stringMatching(/^(\.\d{1,2})?$/))
  .map((parts) => parts.join(''));
const cryptoAmount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^(\.\d{1,18})?$/))
  .map((parts) => parts.join(''));
const list = (item: fc.Arbitrary<string>) =>
  fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(','));

const unsigned = {
  language: fc.constantFrom('en', 'de', 'pt-BR', 'zh_CN'),
  windowOpen: flag,
  email: anyText,
  fiatCurrency: list(fiat),
  defaultFiatCurrency: fiat,
};

const onRamp = fc.record(
  {
    ...unsigned,
    ext: anyText,
    amount: fiatAmount,
    amountFixed: fiatAmount,
    cryptoCurrency: list(code),
    defaultCurrency: code,
    cryptoNetwork: list(code),
    walletAddress: signable,
    walletAddressLocked: flag,
    walletAddressHidden: flag,
  },
  { requiredKeys: ['walletAddress'], noNullPrototype: true },
);

const nftShared = {
  ...unsigned,
  ext: anyText,
  contractAddress: signable,
  nftNetwork: fc.stringMatching(/^[a-z][a-z0-9_-]{0,20}$/),
  transferWalletAddress: signable,
  cryptoCurrency: code,
  amount: cryptoAmount,
  walletAddress: signable,
  walletAddressTag: fc.oneof(fc.constant(''), signable),
  merchantUniqueId: signable,
  merchantOrderNo: signable,
  externalCustomerId: signable,
};
const nftRequired = [
  'contractAddress',
  'nftNetwork',
  'transferWalletAddress',
  'cryptoCurrency',
  'amount',
  'walletAddress',
  'walletAddressTag',
  'type',
] as const;
const nft = fc.oneof(
  fc.record(
    { ...nftShared, type: fc.constant('MINT'), mintQuantity: whole },
    { requiredKeys: [...nftRequired, 'mintQuantity'], noNullPrototype: true },
  ),
  fc.record(
    { ...nftShared, type: fc.constant('MARKET'), tokenId: signable, ownerWalletAddress: signable },
    { requiredKeys: [...nftRequired, 'tokenId', 'ownerWalletAddress'], noNullPrototype: true },
  ),
);

/** Complete, valid parameters for either widget, as a policy returns them. */
export const arbitraryParams: fc.Arbitrary<{ widget: Widget; params: Record<string, string> }> =
  fc.oneof(
    onRamp.map((params) => ({
      widget: 'on-ramp' as const,
      params: params as Record<string, string>,
    })),
    nft.map((params) => ({ widget: 'nft' as const, params: params as Record<string, string> })),
  );
