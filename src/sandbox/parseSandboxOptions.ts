import { createConfigError } from '../protocol/errors/RampError.js';
import { widgetParameters } from '../protocol/widget/widgetParameters.js';
import { createOptionChecks } from '../server/internal/options.js';

/** The options of `startSandbox`. */
export interface SandboxOptions {
  /** The port to listen on. @default 0, any free port */
  readonly port?: number | undefined;
  /** The service's clock, milliseconds since 1970. Prices depend on it. @default Date.now */
  readonly now?: (() => number) | undefined;
  /**
   * The maximum difference between the timestamp of a signed URL or API request and the clock.
   *
   * @default 300
   */
  readonly toleranceSeconds?: number | undefined;
  /** The time from the payment to the delivery, and from there to the status Finished. @default 900 */
  readonly stepMs?: number | undefined;
  /**
   * The time from the status Finished of an NFT order to Settlement, and from there to Settled.
   *
   * @default 5000
   */
  readonly settleMs?: number | undefined;
  /** Names outside docs/service-interface.md section 4.7 that this service signs too. @default none */
  readonly extraSignedParams?: readonly string[] | undefined;
  /**
   * The name under which the widget expects `windowOpen=1` in a frame. Some services write it `windowopen`; set the
   * `windowOpenName` of `RampProvider` to the same name.
   *
   * @default 'windowOpen'
   */
  readonly windowOpenName?: string | undefined;
  /** `127.0.0.1`, another address of 127.0.0.0/8, `::1` or `localhost`. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /**
   * Deviations of real services from the documented interface: `true` for all of them, or each by
   * name.
   *
   * @default false
   */
  readonly quirks?: boolean | SandboxQuirkOptions | undefined;
  /** The URL that receives webhooks, on loopback. @default none are sent */
  readonly webhookUrl?: string | undefined;
  /**
   * Whether an NFT order also sends a webhook at Settlement. The service does not: it sends one when an
   * order finishes, and for an NFT order another when it is settled.
   *
   * @default false
   */
  readonly webhookAtSettlement?: boolean | undefined;
  /**
   * Whether the widget needs the service's own cookie, as a service with a login does. Browsers that block
   * third-party cookies do not send it from a frame of another site. The widget then shows "Sign in", which
   * requests storage access, and directs the shopper to a new window if the browser refuses.
   *
   * @default false
   */
  readonly needsCookie?: boolean | undefined;
  /**
   * Called with one line for each widget URL that is refused, and for each webhook that was not accepted:
   * a status outside 2xx, a refused connection, a timeout.
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

/** The faults that can be injected into a webhook. */
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
 * `lost`: never sent. `late`: sent seconds later. `twice`: sent twice, unchanged. `out-of-order`: held
 * back until the next webhook has been sent. `forged-body`: a valid signature over a body with another
 * order. `wrong-signature`: a signature of another text. `old-timestamp`: signed ten minutes ago.
 */
export type WebhookFault = (typeof webhookFaults)[number];

/** The options with their defaults. */
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
