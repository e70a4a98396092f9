import { createConfigError } from '../protocol/errors/RampError.js';
import { widgetParameters } from '../protocol/widget/widgetParameters.js';
import {
  count,
  flag,
  func,
  matching,
  type OptionReader,
  optional,
  readOptions,
} from '../server/internal/options.js';
import { faultReaders, type SandboxFaultOptions } from './faults.js';

/** Options of {@link startSandbox}. Every option has a default. */
export interface SandboxOptions extends SandboxFaultOptions {
  /** The port to listen on. @default 0, any free port */
  readonly port?: number | undefined;
  /** The service's clock, milliseconds since 1970. Prices depend on it. @default Date.now */
  readonly now?: (() => number) | undefined;
  /**
   * The text from which the sandbox derives order IDs, transaction hashes and nonces, and which requests get a fault.
   * With the same seed, clock and state, the same requests get the same responses. Keys never depend on it.
   *
   * @default a random one
   */
  readonly seed?: string | undefined;
  /**
   * The folder in which the sandbox keeps its keys, its partner ID and its orders, and finds them at its next start.
   * Only the owner can read the folder and its files. One sandbox at a time can use it.
   *
   * @default none: each start creates new keys and begins without orders
   */
  readonly state?: string | undefined;
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
   * How many milliseconds pass until a Finished NFT order changes to Settlement, and again until it changes to Settled.
   *
   * @default 5000
   */
  readonly settleMs?: number | undefined;
  /** Parameter names outside section 4.7 of the service interface that this service also signs. @default none */
  readonly extraSignedParams?: readonly string[] | undefined;
  /**
   * The port of the console, a page that shows every widget opening, API request and webhook, and changes orders and
   * faults. 0 is any free port.
   *
   * @default no console
   */
  readonly consolePort?: number | undefined;
  /**
   * Names besides `127.0.0.1`, `localhost` and `[::1]` by which browsers may open the console, with the port unless it
   * is 80. You need them if a container or a development environment forwards the port.
   *
   * @default none
   */
  readonly consoleHosts?: readonly string[] | undefined;
  /** The loopback address to listen on: one of 127.0.0.0/8, `::1` or `localhost`. @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** The URL that receives webhooks: `http:` on loopback. @default none are sent */
  readonly webhookUrl?: string | undefined;
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
}

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

const readWebhookUrl: OptionReader<string> = (value, { refuse }) =>
  typeof value === 'string' && isLoopbackUrl(value)
    ? value
    : refuse(
        'expects an http: address on loopback as webhookUrl, because the sandbox connects to this machine only.',
      );

const readConsoleHosts: OptionReader<readonly string[]> = (value, { refuse }) => {
  const hosts = value ?? [];
  return Array.isArray(hosts) &&
    hosts.every((host) => typeof host === 'string' && /^[^/@?#\s]+$/.test(host))
    ? hosts
    : refuse('expects a list of host names such as sandbox.internal:4011 as consoleHosts.');
};

const readers = {
  port: count({ byDefault: 0, least: 0, most: 65_535 }),
  now: func(() => Date.now()),
  toleranceSeconds: count({ byDefault: 300, least: 0, unit: 'whole seconds' }),
  stepMs: count({ byDefault: 900, least: 0, unit: 'whole milliseconds' }),
  settleMs: count({ byDefault: 5000, least: 0, unit: 'whole milliseconds' }),
  seed: optional(matching(/^.{1,200}$/s, 'a text of 1 to 200 characters as seed', '')),
  state: optional(matching(/./s, 'the path of a folder as state', '')),
  extraSignedParams: readExtraSignedParams,
  host: matching(
    LOOPBACK,
    'a loopback address such as 127.0.0.1 as host, because the sandbox serves this machine only',
    '127.0.0.1',
  ),
  consolePort: optional(count({ byDefault: 0, least: 0, most: 65_535 })),
  consoleHosts: readConsoleHosts,
  webhookUrl: optional(readWebhookUrl),
  needsCookie: flag(false),
  log: func(warnInConsole),
  ...faultReaders,
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
