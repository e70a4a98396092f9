import { createConfigError } from '../protocol/errors/RampError.js';
import { widgetParameters } from '../protocol/widget/widgetParameters.js';
import {
  count,
  flag,
  func,
  group,
  matching,
  type OptionReader,
  optional,
  readOptions,
} from '../server/internal/options.js';

/** Options of {@link startSandbox}. Every option has a default. */
export interface SandboxOptions {
  /** The port to listen on. @default 0, any free port */
  readonly port?: number | undefined;
  /** The service's clock, milliseconds since 1970. Prices depend on it. @default Date.now */
  readonly now?: (() => number) | undefined;
  /**
   * The maximum difference, in either direction, between the sandbox's clock and the timestamp of a signed URL or API
   * request.
   *
   * @default 300
   */
  readonly toleranceSeconds?: number | undefined;
  /**
   * How many milliseconds pass from the payment to the delivery, and again from the delivery to the status Finished.
   *
   * @default 900
   */
  readonly stepMs?: number | undefined;
  /**
   * How many milliseconds pass from the status Finished of an NFT order to Settlement, and again from Settlement to
   * Settled.
   *
   * @default 5000
   */
  readonly settleMs?: number | undefined;
  /** Parameter names outside docs/service-interface.md section 4.7 that this service also signs. @default none */
  readonly extraSignedParams?: readonly string[] | undefined;
  /**
   * The name under which the widget expects `windowOpen=1` in a frame. Some services expect the spelling
   * `windowopen`. Set the `windowOpenName` of `RampProvider` to the same name.
   *
   * @default 'windowOpen'
   */
  readonly windowOpenName?: string | undefined;
  /** The loopback address to listen on: one of 127.0.0.0/8, `::1` or `localhost`. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /**
   * Deviations of real services from the documented interface: `true` turns on all of them, an object only those that
   * it sets to `true`.
   *
   * @default false
   */
  readonly quirks?: boolean | SandboxQuirkOptions | undefined;
  /** The URL that receives webhooks: `http:` on loopback. @default none are sent */
  readonly webhookUrl?: string | undefined;
  /**
   * Whether the sandbox also sends a webhook when an NFT order reaches Settlement. The real service does not: it
   * sends one webhook when an order finishes, and a second one when an NFT order is Settled.
   *
   * @default false
   */
  readonly webhookAtSettlement?: boolean | undefined;
  /**
   * Whether the widget needs the service's own cookie, as a service with a login does. Browsers that block
   * third-party cookies do not send this cookie from a frame on another site. The widget then shows "Sign in", which
   * requests storage access. If the browser refuses, the widget tells the shopper to use a new window.
   *
   * @default false
   */
  readonly needsCookie?: boolean | undefined;
  /**
   * Called with one line for each widget URL that the sandbox refuses, and for each webhook that your backend does
   * not accept because it responds with a status outside 2xx, or because the connection fails or times out.
   *
   * @default console.warn
   */
  readonly log?: ((line: string) => void) | undefined;
  /** The fault to inject into each webhook; a function is called for each webhook. @default none */
  readonly webhookFault?: WebhookFault | (() => WebhookFault | undefined) | undefined;
}

/**
 * Deviations of real services from their documentation (docs/service-interface.md sections 2 and 5.2).
 * Most of them change only the format of a value.
 */
export interface SandboxQuirks {
  /** `code` is `"10000"` instead of `10000` (2.1). @default false */
  readonly codeAsText: boolean;
  /**
   * `paymentOptions` is one object instead of an array. A quote has the payment option that it was made for (2.4). In
   * the currency list, only currencies with a single payment option are affected. @default false
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

const webhookFaults = [
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
 * the next webhook. `forged-body`: the signature is valid, but the body has a forged order (the signature does not
 * cover the body). `wrong-signature`: the signature is that of another text. `old-timestamp`: the timestamp is ten
 * minutes old.
 */
export type WebhookFault = (typeof webhookFaults)[number];

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
const tableNames: ReadonlySet<string> = new Set(widgetParameters.map(({ name }) => name));

/**
 * Validates the options and fills in their defaults.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for an invalid option.
 */
export const parseSandboxOptions = (options: SandboxOptions | undefined) =>
  readOptions('startSandbox', options, readers);

const readExtraSignedParams: OptionReader<readonly string[]> = (value, { refuse }) => {
  const names = value ?? [];
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    return refuse('expects a list of names as extraSignedParams.');
  const inTable = names.find((name) => tableNames.has(name));
  return inTable
    ? refuse(
        `expects no ${inTable} in extraSignedParams, because it is a documented widget parameter.`,
      )
    : names;
};

const readQuirks: OptionReader<SandboxQuirks> = (value, option) => {
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

const readWebhookUrl: OptionReader<string> = (value, { refuse }) =>
  typeof value === 'string' && isLoopbackUrl(value)
    ? value
    : refuse(
        'expects an http: address on loopback as webhookUrl, because the sandbox connects to this machine only.',
      );

const readWebhookFault: OptionReader<() => WebhookFault | undefined> = (value, { refuse }) => {
  if (typeof value === 'function') return value as () => WebhookFault | undefined;
  const fault = webhookFaults.find((name) => name === value);
  return fault || value == null
    ? () => fault
    : refuse(
        `expects one of ${webhookFaults.join(', ')}, or a function that returns one, as webhookFault.`,
      );
};

const readers = {
  port: count({ byDefault: 0, least: 0, most: 65_535 }),
  now: func(() => Date.now()),
  toleranceSeconds: count({ byDefault: 300, least: 0, unit: 'whole seconds' }),
  stepMs: count({ byDefault: 900, least: 0, unit: 'whole milliseconds' }),
  settleMs: count({ byDefault: 5000, least: 0, unit: 'whole milliseconds' }),
  extraSignedParams: readExtraSignedParams,
  host: matching(
    LOOPBACK,
    'a loopback address such as 127.0.0.1 as host, because the sandbox serves this machine only',
    '127.0.0.1',
  ),
  quirks: readQuirks,
  windowOpenName: matching(
    /^windowopen$/i,
    "'windowOpen' in another case, such as 'windowopen', as windowOpenName",
    'windowOpen',
  ),
  webhookUrl: optional(readWebhookUrl),
  webhookAtSettlement: flag(false),
  needsCookie: flag(false),
  log: func(warnInConsole),
  webhookFault: readWebhookFault,
};

function warnInConsole(line: string): void {
  // biome-ignore lint/suspicious/noConsole: the developer who runs the sandbox reads it
  console.warn(line);
}

function isLoopbackUrl(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'http:' && LOOPBACK.test(hostname.replace(/^\[|\]$/g, ''));
  } catch {
    return false;
  }
}

/** Throws in production, because the sandbox accepts every payment and delivers no cryptocurrency. */
export function assertNotProduction(env: Readonly<Record<string, string | undefined>>): void {
  if (env.NODE_ENV === 'production')
    throw createConfigError(
      'Sandbox:',
      'the sandbox does not run with NODE_ENV=production, because it accepts every payment without charging anyone.',
    );
}
