import {
  flag,
  group,
  milliseconds,
  type OptionReader,
  readOptions,
  share,
} from '../server/internal/options.js';

/**
 * The faults of a running sandbox. The sandbox reads them for each request and each webhook, so changing a field takes
 * effect immediately.
 */
export interface SandboxFaults {
  /** How many milliseconds to delay each response from the widget and the partner API, and each webhook. */
  latencyMs: number;
  /** The fault to inject into requests to the partner API. */
  apiFault: ApiFault | undefined;
  /** The fault to inject into webhooks; a function is called for each webhook. */
  webhookFault: WebhookFault | (() => WebhookFault | undefined) | undefined;
  /** The share of API requests and of webhooks that get the fault, from 0 to 1. */
  faultRate: number;
  /** Deviations of real services from the documented interface. */
  readonly quirks: { -readonly [Name in keyof SandboxQuirks]: SandboxQuirks[Name] };
}

/** The `startSandbox` options that set the initial faults. */
export interface SandboxFaultOptions {
  /**
   * How many milliseconds to delay each response from the widget and the partner API, and each webhook.
   *
   * @default 0
   */
  readonly latencyMs?: number | undefined;
  /** The fault to inject into requests to the partner API. @default none */
  readonly apiFault?: ApiFault | undefined;
  /** The fault to inject into each webhook; a function is called for each webhook. @default none */
  readonly webhookFault?: WebhookFault | (() => WebhookFault | undefined) | undefined;
  /**
   * The share of API requests and of webhooks that get the fault, from 0 to 1. The `seed` decides which ones.
   *
   * @default 1
   */
  readonly faultRate?: number | undefined;
  /**
   * Deviations of real services from the documented interface: `true` turns on all of them, an object only those that
   * it sets to `true`.
   *
   * @default false
   */
  readonly quirks?: boolean | SandboxQuirkOptions | undefined;
}

/**
 * Deviations of real services from their documentation (service interface, sections 2 and 5.2).
 * Most of them change only the format of a value.
 */
export interface SandboxQuirks {
  /** `code` is `"10000"` instead of `10000` (2.1). @default false */
  readonly codeAsText: boolean;
  /**
   * `paymentOptions` is one object instead of an array. A quote contains the payment option that it was made for (2.4).
   * In the currency list, only currencies with a single payment option are affected. @default false
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
  /** Webhook nonces have one to ten digits instead of always six. @default false */
  readonly nonceLengths: boolean;
}

/** Quirks by name. A quirk that is absent or `undefined` is off. */
export type SandboxQuirkOptions = {
  readonly [Name in keyof SandboxQuirks]?: SandboxQuirks[Name] | undefined;
};

export const quirkNames = [
  'codeAsText',
  'paymentOptionsAsObject',
  'timesAsText',
  'countsAsText',
  'decimalsAsText',
  'emptyListAsText',
  'nonceLengths',
] as const satisfies readonly (keyof SandboxQuirks)[];

export const apiFaults = ['timeout', 'slow', 'http-500', 'error'] as const;

/**
 * `timeout`: no response. `slow`: the response is two seconds late, within the API client's default `timeoutMs`.
 * `http-500`: HTTP status 500 with an HTML page, as a proxy sends it. `error`: HTTP status 200, and an envelope with an
 * undocumented error code.
 */
export type ApiFault = (typeof apiFaults)[number];

export const webhookFaults = [
  'lost',
  'late',
  'twice',
  'out-of-order',
  'forged-body',
  'wrong-signature',
  'old-timestamp',
] as const;

/**
 * `lost`: never sent. `late`: sent three seconds later. `twice`: sent twice, unchanged. `out-of-order`: sent after
 * the next webhook. `forged-body`: the signature is valid, but the body contains a forged order (the signature
 * does not cover the body). `wrong-signature`: the signature belongs to another text. `old-timestamp`: the timestamp is
 * ten minutes old.
 */
export type WebhookFault = (typeof webhookFaults)[number];

const readQuirks: OptionReader<SandboxFaults['quirks']> = (value, option) => {
  const isSwitch = typeof value === 'boolean';
  if (value != null && !isSwitch && typeof value !== 'object')
    option.refuse('expects true, false, or an object of quirks as quirks.');
  const quirk = flag(value === true);
  return group<SandboxQuirks>({
    codeAsText: quirk,
    paymentOptionsAsObject: quirk,
    timesAsText: quirk,
    countsAsText: quirk,
    decimalsAsText: quirk,
    emptyListAsText: quirk,
    nonceLengths: quirk,
  })(isSwitch ? undefined : value, option);
};

const readApiFault: OptionReader<ApiFault | undefined> = (value, { refuse }) => {
  const fault = apiFaults.find((name) => name === value);
  return fault || value == null
    ? fault
    : refuse(`expects one of ${apiFaults.join(', ')} as apiFault.`);
};

const readWebhookFault: OptionReader<SandboxFaults['webhookFault']> = (value, { refuse }) => {
  if (typeof value === 'function') return value as () => WebhookFault | undefined;
  const fault = webhookFaults.find((name) => name === value);
  return fault || value == null
    ? fault
    : refuse(
        `expects one of ${webhookFaults.join(', ')}, or a function that returns one, as webhookFault.`,
      );
};

/** One reader for each fault in the `startSandbox` options. */
export const faultReaders = {
  latencyMs: milliseconds(0, 0),
  apiFault: readApiFault,
  webhookFault: readWebhookFault,
  faultRate: share(1),
  quirks: readQuirks,
};

/**
 * Validates changes from outside, such as those of a form, then applies them to `faults`. A fault or quirk that is
 * absent from `changes` stays as it is, and `null` turns it off.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for an unknown or malformed fault; then nothing changes.
 * @example
 * changeFaults(sandbox.faults, { webhookFault: 'lost', quirks: { codeAsText: true } });
 */
export function changeFaults(
  faults: SandboxFaults,
  changes: { readonly [name: string]: unknown },
): void {
  const { quirks: given = {} } = changes;
  const { quirks, ...rest } = readOptions<object, SandboxFaults>(
    'faults',
    {
      ...faults,
      ...changes,
      quirks: given && typeof given === 'object' ? { ...faults.quirks, ...given } : given,
    },
    faultReaders,
  );
  // Change the object in place, because the sandbox's parts share it.
  Object.assign(faults.quirks, quirks);
  Object.assign(faults, rest);
}
