import { createConfigError } from '../protocol/errors/RampError.js';
import { widgetParameters } from '../protocol/widget/widgetParameters.js';
import { createOptionChecks } from '../server/internal/options.js';

/** Where the sandbox listens, and how the service that it simulates behaves. Every option has a default. */
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
   * The milliseconds from the payment to the delivery, and again from the delivery to the status Finished. @default
   * 900
   */
  readonly stepMs?: number | undefined;
  /**
   * The milliseconds from the status Finished of an NFT order to Settlement, and again from Settlement to Settled.
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
   * Deviations of real services from the documented interface: `true` turns on all of them, an object turns on single
   * ones.
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
   * not accept. A webhook is not accepted on a status outside 2xx, a failed connection or a timeout.
   *
   * @default console.warn
   */
  readonly log?: ((line: string) => void) | undefined;
  /** The fault to inject into each webhook; a function is called for each webhook. @default none */
  readonly webhookFault?: WebhookFault | (() => WebhookFault | undefined) | undefined;
}

/**
 * Deviations of real services from their documentation (docs/service-interface.md sections 2 and 5.2).
 * Each changes the format of a value, never the value.
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

type CheckedOptions = {
  readonly [K in Exclude<
    keyof SandboxOptions,
    'quirks' | 'webhookUrl' | 'webhookFault'
  >]-?: NonNullable<SandboxOptions[K]>;
} & {
  readonly quirks: SandboxQuirks;
  readonly webhookUrl: string | undefined;
  readonly webhookFault: () => WebhookFault | undefined;
};

const { checkNames } = createOptionChecks('startSandbox');

const OPTIONS: Record<keyof SandboxOptions, true> = {
  port: true,
  now: true,
  toleranceSeconds: true,
  stepMs: true,
  settleMs: true,
  extraSignedParams: true,
  host: true,
  quirks: true,
  windowOpenName: true,
  webhookUrl: true,
  webhookAtSettlement: true,
  needsCookie: true,
  log: true,
  webhookFault: true,
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;
const tableNames: ReadonlySet<string> = new Set(widgetParameters.map(({ name }) => name));

/**
 * Validates the options and fills in their defaults.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for an invalid option.
 */
export function parseSandboxOptions(options: SandboxOptions): CheckedOptions {
  checkNames(options, OPTIONS);
  const {
    port = 0,
    now = Date.now,
    toleranceSeconds = 300,
    stepMs = 900,
    settleMs = 5000,
    extraSignedParams = [],
    windowOpenName = 'windowOpen',
    host = '127.0.0.1',
    webhookAtSettlement = false,
    needsCookie = false,
    log = warnInConsole,
  } = options;
  if (!LOOPBACK.test(host))
    throwConfigError(
      'host must be a loopback address such as 127.0.0.1, because the sandbox serves this machine only',
    );
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throwConfigError(
      `port must be a whole number from 0 to 65535${typeof port === 'string' ? ', not text: Number(process.env.PORT)' : ''}`,
    );
  if (typeof now !== 'function')
    throwConfigError('now must be a function that returns milliseconds');
  if (typeof log !== 'function') throwConfigError('log must be a function that takes a line');
  for (const [name, value] of Object.entries({ webhookAtSettlement, needsCookie }))
    if (typeof value !== 'boolean') throwConfigError(`${name} must be true or false`);
  if (!(toleranceSeconds >= 0)) throwConfigError('toleranceSeconds must be a number from 0');
  for (const [name, ms] of Object.entries({ stepMs, settleMs }))
    if (!(ms >= 0 && ms < Infinity))
      throwConfigError(`${name} must be a number of milliseconds from 0`);
  if (!Array.isArray(extraSignedParams))
    throwConfigError('extraSignedParams must be a list of names');
  const inTable = extraSignedParams.find((name) => tableNames.has(name));
  if (inTable)
    throwConfigError(
      `extraSignedParams must not contain ${inTable}, because it is a documented widget parameter`,
    );
  if (!/^windowopen$/i.test(windowOpenName))
    throwConfigError("windowOpenName must be 'windowOpen' in another case, such as 'windowopen'");
  const { quirks: given = false } = options;
  const quirks = parseQuirks(given);
  if (!quirks)
    throwConfigError(
      'quirks must be true, false, or an object of known quirks, each true or false',
    );
  const { webhookUrl, webhookFault } = options;
  if (webhookUrl !== undefined && !isLoopbackUrl(webhookUrl))
    throwConfigError(
      'webhookUrl must be an http: address on loopback, because the sandbox connects to this machine only',
    );
  if (
    webhookFault !== undefined &&
    typeof webhookFault !== 'function' &&
    !webhookFaults.includes(webhookFault)
  )
    throwConfigError(
      `webhookFault must be one of ${webhookFaults.join(', ')}, or a function that returns one`,
    );
  return {
    ...{ port, now, toleranceSeconds, stepMs, settleMs, extraSignedParams, host, quirks },
    windowOpenName,
    webhookUrl,
    webhookAtSettlement,
    needsCookie,
    log,
    webhookFault: typeof webhookFault === 'function' ? webhookFault : () => webhookFault,
  };
}

const noQuirks: SandboxQuirks = {
  codeAsText: false,
  paymentOptionsAsObject: false,
  timesAsText: false,
  countsAsText: false,
  decimalsAsText: false,
  emptyListAsText: false,
  nonceLengths: false,
};

/** Returns every quirk with its setting, or `undefined` when `given` is invalid. */
function parseQuirks(given: unknown): SandboxQuirks | undefined {
  const names = Object.keys(noQuirks);
  if (typeof given === 'boolean')
    return { ...noQuirks, ...Object.fromEntries(names.map((name) => [name, given])) };
  if (typeof given !== 'object' || given === null) return undefined;
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const isKnown = ([name, value]: [string, unknown]) =>
    names.includes(name) && typeof value === 'boolean';
  return set.every(isKnown) ? { ...noQuirks, ...Object.fromEntries(set) } : undefined;
}

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
    throwConfigError(
      'the sandbox does not run with NODE_ENV=production, because it accepts every payment without charging anyone',
    );
}

function throwConfigError(what: string): never {
  throw createConfigError('Sandbox:', `${what}.`);
}
