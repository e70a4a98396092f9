/** The two hosted widgets: `on-ramp` sells cryptocurrency, `nft` sells one NFT. */
export type Widget = 'on-ramp' | 'nft';

/** The partner tiers: Basic does not sign, Premium signs every URL (docs/service-interface.md section 1). */
export type Tier = 'basic' | 'premium';

/**
 * The format of a value. `valueFormats.ts` has the rule and the description of each.
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

/** One parameter of the widget URL (section 4.7). */
export interface WidgetParameter {
  readonly name: string;
  readonly widgets: readonly Widget[];
  readonly format: ParameterFormat;
  /** Who must pass it. `premium`: Premium Partners; `MARKET` and `MINT`: every partner when `type` has that value. */
  readonly required: 'never' | 'premium' | 'always' | 'MARKET' | 'MINT';
  /** Whether the widget signature covers the parameter (section 5.3). `result`: it is the signature itself. */
  readonly signed: 'never' | 'premium' | 'result';
  /** Whether it is rejected for Basic Partners. */
  readonly premiumOnly?: true | undefined;
  /** The name of another parameter that this one requires. */
  readonly needs?: string | undefined;
  /** Whether `''` may be passed although it is required (a chain without tags). It is then neither sent nor signed. */
  readonly mayBeEmpty?: true | undefined;
  /** Whether the signer sets it. Callers cannot pass it. */
  readonly managed?: true | undefined;
  readonly default?: string | undefined;
  readonly description: string;
}
