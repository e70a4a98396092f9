/** The two hosted widgets: `on-ramp` sells cryptocurrency, `nft` sells one NFT. */
export type Widget = 'on-ramp' | 'nft';

/** Partner tiers: Basic signs nothing, Premium signs every URL (section 1). */
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

/** One row of section 4.7. */
export interface WidgetParameter {
  readonly name: string;
  readonly widgets: readonly Widget[];
  readonly format: ParameterFormat;
  /** `premium`: for Premium Partners; `MARKET` and `MINT`: when `type` has that value. */
  readonly required: 'never' | 'premium' | 'always' | 'MARKET' | 'MINT';
  /** Whether the widget signature covers it (section 5.3). `result`: it is the signature itself. */
  readonly signed: 'never' | 'premium' | 'result';
  /** Rejected from Basic Partners. */
  readonly premiumOnly?: true | undefined;
  /** The parameter that this one requires. */
  readonly needs?: string | undefined;
  /** Required, but may be `''`; it is then neither sent nor signed (a chain without tags). */
  readonly mayBeEmpty?: true | undefined;
  /** Set by the signer, never by its caller. */
  readonly managed?: true | undefined;
  readonly default?: string | undefined;
  readonly description: string;
}
