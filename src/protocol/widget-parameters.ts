/** The two hosted widgets: `on-ramp` sells cryptocurrency, `nft` sells one NFT. */
export type Widget = 'on-ramp' | 'nft';

/** Partner tiers: Basic signs nothing, Premium signs every URL (section 1). */
export type Tier = 'basic' | 'premium';

/**
 * How a value is written. The rule and the words for each are in `value-formats.ts`.
 */
export type ParameterFormat =
  | 'token'
  | 'tokens'
  | 'fiat'
  | 'fiats'
  | 'fiatAmount'
  | 'cryptoAmount'
  | 'count'
  | 'flag'
  | 'seconds'
  | 'digits'
  | 'language'
  | 'nftType'
  | 'chain'
  | 'text';

/** One row of section 4.7. */
export interface WidgetParameter {
  readonly name: string;
  readonly widgets: readonly Widget[];
  readonly format: ParameterFormat;
  /** `premium`: for Premium Partners; `MARKET` and `MINT`: when `type` has that value. */
  readonly required: 'never' | 'premium' | 'always' | 'MARKET' | 'MINT';
  /** Whether it takes part in the widget signature (section 5.3). `result`: it is the signature. */
  readonly signed: 'never' | 'premium' | 'result';
  /** Basic Partners may not send it. */
  readonly premiumOnly?: true;
  /** Means something only together with this other parameter. */
  readonly needs?: string;
  /** Required, but may be `''`: then it is neither sent nor signed (a chain without tags). */
  readonly mayBeEmpty?: true;
  /** Set by the signer, never by its caller. */
  readonly managed?: true;
  readonly default?: string;
  readonly description: string;
}

const both = ['on-ramp', 'nft'] as const;
const onRamp = ['on-ramp'] as const;
const nft = ['nft'] as const;

/**
 * Section 4.7 of the service interface as data: every query parameter of the hosted widget, once.
 * Schemas, the signed text, the props of the components and the documentation derive from it.
 */
export const widgetParameters = [
  // Common to both widgets.
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
    description: 'When the URL was signed, Unix seconds. Made by the signer.',
  },
  {
    name: 'nonce',
    widgets: both,
    format: 'digits',
    required: 'premium',
    signed: 'premium',
    managed: true,
    description: 'Random integer. Made by the signer.',
  },
  {
    name: 'signature',
    widgets: both,
    format: 'text',
    required: 'premium',
    signed: 'result',
    managed: true,
    description: 'HMAC-SHA-256 of the signed parameters, base64. Made by the signer.',
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
    description: 'Tells the service that a page shows the widget; avoids a 403 in an iframe.',
  },
  {
    name: 'ext',
    widgets: both,
    format: 'text',
    required: 'never',
    signed: 'premium',
    description: 'Free text that comes back with the order. URL-encoded before it is signed.',
  },
  {
    name: 'email',
    widgets: both,
    format: 'text',
    required: 'never',
    signed: 'never',
    description: 'Fills in the e-mail field; the service leaves it empty if the format is wrong.',
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
  // On-ramp.
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
      'Fiat amount that the widget does not let the shopper change; wins over amount. Not signed, so no enforcement.',
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
      'Wallet the cryptocurrency is sent to. Left empty by the service if it does not fit the currency.',
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
  // NFT checkout, for Premium Partners alone.
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
    description: 'MARKET sells an NFT that somebody holds, MINT makes a new one.',
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
    description: 'Wallet the NFT goes to after payment.',
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

/** A row of the table as its literal type. */
type Row = (typeof widgetParameters)[number];

/** The rows of one widget. */
export type RowOf<W extends Widget> = Extract<
  Row,
  { widgets: readonly W[] } | { widgets: typeof both }
>;

/** The parameter names of one widget. */
export type ParameterName<W extends Widget> = RowOf<W>['name'];

/** The rows that belong to `widget`, in the order of the table. */
export function parametersOf(widget: Widget): readonly WidgetParameter[] {
  return (widgetParameters as readonly WidgetParameter[]).filter((row) =>
    row.widgets.includes(widget),
  );
}

/** The names that take part in the signature of `widget` (section 5.3). */
export function signedNames(widget: Widget): readonly string[] {
  return parametersOf(widget)
    .filter((row) => row.signed === 'premium')
    .map((row) => row.name);
}
