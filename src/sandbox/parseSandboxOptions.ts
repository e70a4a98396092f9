import { createConfigError } from '../protocol/errors/createConfigError.js';
import { widgetParameters } from '../protocol/widget/widgetParameters.js';
import { createOptionChecks } from '../server/internal/options.js';
import { parseQuirks, type SandboxQuirkOptions, type SandboxQuirks } from './api/wireFormat.js';
import { type WebhookFault, webhookFaults } from './webhooks/startWebhookSender.js';

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
  checkNames(options, OPTIONS, 'all');
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
  if (typeof webhookFault === 'string' && !webhookFaults.includes(webhookFault))
    throwConfigError(`webhookFault must be one of ${webhookFaults.join(', ')}`);
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
