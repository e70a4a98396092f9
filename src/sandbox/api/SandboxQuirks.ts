/**
 * Deviations of real services from their documentation (docs/service-interface.md sections 2 and 5.2).
 * Each changes the format of a value, never the value.
 */
export interface SandboxQuirks {
  /** `code` is `"10000"` instead of `10000` (2.1). @default false */
  readonly codeAsText: boolean;
  /**
   * `paymentOptions` is one object instead of an array: in a quote the option of the quote (2.4), in the
   * currency list the option of each currency that has only one. @default false
   */
  readonly paymentOptionsAsObject: boolean;
  /** `payTime`, `deliverTime` and `finishTime` are text (2.6). @default false */
  readonly timesAsText: boolean;
  /** `mintQuantity` is text (2.7). @default false */
  readonly countsAsText: boolean;
  /** Amounts, prices, fees and limits are text. @default false */
  readonly decimalsAsText: boolean;
  /** A list without entries is `""` (2.1). @default false */
  readonly emptyListAsText: boolean;
  /** Webhook nonces vary in length from one to ten digits, instead of six. @default false */
  readonly nonceLengths: boolean;
}

/** Quirks by name. A quirk that is absent or `undefined` is off. */
export type SandboxQuirkOptions = {
  readonly [Name in keyof SandboxQuirks]?: SandboxQuirks[Name] | undefined;
};

const none: SandboxQuirks = {
  codeAsText: false,
  paymentOptionsAsObject: false,
  timesAsText: false,
  countsAsText: false,
  decimalsAsText: false,
  emptyListAsText: false,
  nonceLengths: false,
};

/** Returns every quirk with its setting, or `undefined` when `given` is invalid. */
export function parseQuirks(given: unknown): SandboxQuirks | undefined {
  const names = Object.keys(none);
  if (typeof given === 'boolean')
    return { ...none, ...Object.fromEntries(names.map((name) => [name, given])) };
  if (typeof given !== 'object' || given === null) return undefined;
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const isKnown = ([name, value]: [string, unknown]) =>
    names.includes(name) && typeof value === 'boolean';
  return set.every(isKnown) ? { ...none, ...Object.fromEntries(set) } : undefined;
}
