/** The two hosted widgets: `on-ramp` sells cryptocurrency, `nft` sells or mints NFTs. */
export type Widget = 'on-ramp' | 'nft';

/** The partner tiers: Basic does not sign, Premium signs every URL (service interface, section 1). */
export type Tier = 'basic' | 'premium';

/** The type of each format's values. Their patterns and descriptions are in `valueFormats.ts`. */
export interface FormatValues {
  token: string;
  tokens: string;
  fiat: string;
  fiats: string;
  fiatAmount: string;
  cryptoAmount: string;
  count: string;
  flag: '0' | '1';
  seconds: string;
  digits: string;
  language: string;
  nftType: 'MARKET' | 'MINT';
  chain: string;
  text: string;
}

/** The name of a value format, such as `fiatAmount`: a decimal number with at most two decimals. */
export type ParameterFormat = keyof FormatValues;

/** One parameter of the widget URL (section 4.7). */
export interface WidgetParameter {
  readonly name: string;
  readonly widgets: readonly Widget[];
  readonly format: ParameterFormat;
  /**
   * Who must pass the parameter. `premium`: Premium Partners. `always`: every partner. `MARKET` and `MINT`: every
   * partner, when `type` has that value.
   */
  readonly required: 'never' | 'premium' | 'always' | 'MARKET' | 'MINT';
  /** Whether Premium Partners sign the parameter (section 5.3). `result` marks the signature itself. */
  readonly signed: 'never' | 'premium' | 'result';
  /** Whether the parameter is rejected for Basic Partners. */
  readonly premiumOnly?: true | undefined;
  /** The name of another parameter that must be passed too. */
  readonly needs?: string | undefined;
  /**
   * Whether a required parameter may be `''`, such as the tag on a chain without tags. `''` is neither sent nor
   * signed.
   */
  readonly mayBeEmpty?: true | undefined;
  /** Whether the signer sets the parameter, so that callers cannot pass it. */
  readonly managed?: true | undefined;
  readonly default?: string | undefined;
  readonly description: string;
}

const both = ['on-ramp', 'nft'] as const;
const onRamp = ['on-ramp'] as const;
const nft = ['nft'] as const;

/**
 * Every query parameter of the hosted widget (service interface, section 4.7). Validation, the signed text, the
 * props of the components and the documentation derive from this table.
 */
export const widgetParameters = [
  {
    name: 'partnerId',
    widgets: both,
    format: 'token',
    required: 'premium',
    signed: 'premium',
    description: 'Partner ID issued at onboarding.',
  },
  {
    name: 'timestamp',
    widgets: both,
    format: 'seconds',
    required: 'premium',
    signed: 'premium',
    managed: true,
    description: 'When the URL was signed, Unix seconds. Created by the signer.',
  },
  {
    name: 'nonce',
    widgets: both,
    format: 'digits',
    required: 'premium',
    signed: 'premium',
    managed: true,
    description: 'Random integer. Created by the signer.',
  },
  {
    name: 'signature',
    widgets: both,
    format: 'text',
    required: 'premium',
    signed: 'result',
    managed: true,
    description: 'HMAC-SHA-256 of the signed parameters, base64. Created by the signer.',
  },
  {
    name: 'language',
    widgets: both,
    format: 'language',
    required: 'never',
    signed: 'never',
    default: 'en',
    description: 'Language code of the widget.',
  },
  {
    name: 'windowOpen',
    widgets: both,
    format: 'flag',
    required: 'never',
    signed: 'never',
    default: '0',
    description: '1 shows the service that a page embeds the widget; avoids a 403 in an iframe.',
  },
  {
    name: 'ext',
    widgets: both,
    format: 'text',
    required: 'never',
    signed: 'premium',
    description: 'Free text that the order returns. URL-encoded before it is signed.',
  },
  {
    name: 'email',
    widgets: both,
    format: 'text',
    required: 'never',
    signed: 'never',
    description: 'Fills in the e-mail field; the service ignores a malformed address.',
  },
  {
    name: 'fiatCurrency',
    widgets: both,
    format: 'fiats',
    required: 'never',
    signed: 'never',
    default: 'all available',
    description: 'Fiat codes the shopper may pay in.',
  },
  {
    name: 'defaultFiatCurrency',
    widgets: both,
    format: 'fiat',
    required: 'never',
    signed: 'never',
    default: 'USD, or the first of fiatCurrency',
    description: 'Fiat code chosen at the start.',
  },
  {
    name: 'amount',
    widgets: onRamp,
    format: 'fiatAmount',
    required: 'never',
    signed: 'never',
    description: 'Fiat amount to start with. The shopper may change it.',
  },
  {
    name: 'amountFixed',
    widgets: onRamp,
    format: 'fiatAmount',
    required: 'never',
    signed: 'never',
    description:
      'Fiat amount that the shopper cannot change in the widget; replaces amount. Not signed, so not enforced.',
  },
  {
    name: 'cryptoCurrency',
    widgets: onRamp,
    format: 'tokens',
    required: 'never',
    signed: 'never',
    default: 'all available',
    description: 'Cryptocurrency codes the shopper may buy.',
  },
  {
    name: 'defaultCurrency',
    widgets: onRamp,
    format: 'token',
    required: 'never',
    signed: 'never',
    default: 'the first of cryptoCurrency, or USDT_ERC20',
    description: 'Cryptocurrency code chosen at the start.',
  },
  {
    name: 'cryptoNetwork',
    widgets: onRamp,
    format: 'tokens',
    required: 'never',
    signed: 'never',
    default: 'all available',
    description: 'Networks the shopper may buy on.',
  },
  {
    name: 'walletAddress',
    widgets: onRamp,
    format: 'text',
    required: 'premium',
    signed: 'premium',
    description:
      'Wallet that receives the cryptocurrency. The service ignores an address that does not fit the currency.',
  },
  {
    name: 'walletAddressLocked',
    widgets: onRamp,
    format: 'flag',
    required: 'never',
    signed: 'premium',
    premiumOnly: true,
    needs: 'walletAddress',
    default: '0',
    description: '1 shows the wallet but does not let the shopper change it.',
  },
  {
    name: 'walletAddressHidden',
    widgets: onRamp,
    format: 'flag',
    required: 'never',
    signed: 'premium',
    premiumOnly: true,
    needs: 'walletAddress',
    default: '0',
    description: '1 hides the wallet.',
  },
  // NFT checkout, for Premium Partners only.
  {
    name: 'contractAddress',
    widgets: nft,
    format: 'text',
    required: 'always',
    signed: 'premium',
    description: 'Contract of the NFT.',
  },
  {
    name: 'nftNetwork',
    widgets: nft,
    format: 'chain',
    required: 'always',
    signed: 'premium',
    description:
      'Chain of the contract: ethereum, polygon, bsc, optimism, arbitrum, avalanche, fantom, celo, harmony, or another on request.',
  },
  {
    name: 'type',
    widgets: nft,
    format: 'nftType',
    required: 'always',
    signed: 'premium',
    description: 'MARKET sells an existing NFT, MINT creates a new one.',
  },
  {
    name: 'tokenId',
    widgets: nft,
    format: 'text',
    required: 'MARKET',
    signed: 'premium',
    description: 'Token ID of the NFT.',
  },
  {
    name: 'ownerWalletAddress',
    widgets: nft,
    format: 'text',
    required: 'MARKET',
    signed: 'premium',
    description: 'Wallet that holds the NFT now.',
  },
  {
    name: 'mintQuantity',
    widgets: nft,
    format: 'count',
    required: 'MINT',
    signed: 'premium',
    description: 'How many to mint.',
  },
  {
    name: 'transferWalletAddress',
    widgets: nft,
    format: 'text',
    required: 'always',
    signed: 'premium',
    description: 'Wallet that receives the NFT after payment.',
  },
  {
    name: 'cryptoCurrency',
    widgets: nft,
    format: 'token',
    required: 'always',
    signed: 'premium',
    description: 'Cryptocurrency code in which the NFT is priced.',
  },
  {
    name: 'amount',
    widgets: nft,
    format: 'cryptoAmount',
    required: 'always',
    signed: 'premium',
    description: 'Price of the NFT in that cryptocurrency.',
  },
  {
    name: 'walletAddress',
    widgets: nft,
    format: 'text',
    required: 'always',
    signed: 'premium',
    description: 'Wallet the price is settled to.',
  },
  {
    name: 'walletAddressTag',
    widgets: nft,
    format: 'text',
    required: 'always',
    signed: 'premium',
    mayBeEmpty: true,
    description: "Tag or memo of the settlement wallet; '' for a chain without tags.",
  },
  {
    name: 'merchantUniqueId',
    widgets: nft,
    format: 'text',
    required: 'never',
    signed: 'premium',
    description: "NFT identifier in the partner's marketplace.",
  },
  {
    name: 'merchantOrderNo',
    widgets: nft,
    format: 'text',
    required: 'never',
    signed: 'premium',
    description: "Order number in the partner's marketplace.",
  },
  {
    name: 'externalCustomerId',
    widgets: nft,
    format: 'text',
    required: 'never',
    signed: 'premium',
    description: "Customer ID in the partner's marketplace.",
  },
] as const satisfies readonly WidgetParameter[];

type Row = (typeof widgetParameters)[number];

export type RowOf<W extends Widget> = Extract<
  Row,
  { widgets: readonly W[] } | { widgets: readonly ['on-ramp', 'nft'] }
>;

/** The names of a widget's parameters, including those that only the signer sets, such as `signature`. */
export type ParameterName<W extends Widget> = RowOf<W>['name'];

/** Returns the widget's rows, in the order of the table. */
export function getWidgetParameters(widget: Widget): readonly WidgetParameter[] {
  return (widgetParameters as readonly WidgetParameter[]).filter((row) =>
    row.widgets.includes(widget),
  );
}

/** Returns the names of the widget's signed parameters (service interface, section 5.3). */
export function getSignedNames(widget: Widget): readonly string[] {
  return getWidgetParameters(widget)
    .filter((row) => row.signed === 'premium')
    .map((row) => row.name);
}
