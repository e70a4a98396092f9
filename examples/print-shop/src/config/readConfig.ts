import { fileURLToPath } from 'node:url';
import { parseServiceUrl } from '@partner-ramp/react/protocol';
import * as z from 'zod';
import { findExposedSecrets } from './findExposedSecrets.js';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** The number of reverse proxies in front of this server. With 0, `X-Forwarded-For` is ignored. */
  readonly trustProxy: number;
  readonly widgetUrl: string;
  readonly apiUrl: string;
  readonly partnerId: string;
  readonly secretKey: string;
  /** PEM text. */
  readonly apiPrivateKey: string;
  /** PEM text. */
  readonly webhookPublicKey: string;
  /** The webhook's public address, exactly as registered with the service. */
  readonly webhookUrl: string;
  /** The interval at which the order list is read while checkouts are open. */
  readonly pollSeconds: number;
  /** The SQLite file, which is used if there is no `databaseUrl`. */
  readonly databaseFile: string;
  /** The URL of a PostgreSQL database, which is used instead of `databaseFile`. */
  readonly databaseUrl: string | undefined;
  /** Without a password the operator page is disabled. */
  readonly operatorPassword: string | undefined;
  readonly sessionSecret: string;
  /** The origins of the shop's pages: scheme, host, and port if it is not the default. Without a path. */
  readonly shopOrigins: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An error with one line for each variable that is missing, malformed or exposes a secret. It contains no values. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

/**
 * The default database file: examples/print-shop/data/orders.db, as seen from the built file in
 * examples/print-shop/dist/server/config.
 */
const DATABASE_FILE = fileURLToPath(new URL('../../../data/orders.db', import.meta.url));

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Creates the schema of a variable that must match `pattern`. `description` completes "must be …". */
const text = (pattern: RegExp, description: string) =>
  z.string({ error: `is missing: it must be ${description}` }).regex(pattern, {
    error: `must be ${description}`,
  });

const wholeNumber = (max: number, min: number, fallback: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/, { error: `must be ${description}` })
    .transform(Number)
    .refine((number) => number >= min && number <= max, { error: `must be ${description}` })
    .default(fallback);

const schema = z.object({
  HOST: text(/^[A-Za-z0-9.:-]+$/, 'an address or host name to listen on').default('127.0.0.1'),
  PORT: wholeNumber(65_535, 1, 4000, 'a port: a whole number from 1 to 65535'),
  TRUST_PROXY: wholeNumber(
    10,
    0,
    0,
    'the number of reverse proxies in front of this server: 0 to 10',
  ),
  RAMP_WIDGET_URL: text(
    /^./,
    "the service's widget address, such as https://pay.example",
  ).transform(createUrlParser('RAMP_WIDGET_URL')),
  RAMP_API_URL: text(/^./, "the service's API address, such as https://api.example").transform(
    createUrlParser('RAMP_API_URL'),
  ),
  RAMP_PARTNER_ID: text(/^[A-Za-z0-9._-]+$/, 'the partner ID that was issued at onboarding'),
  RAMP_SECRET_KEY: text(
    /^\S(?:.*\S)?$/s,
    'the SecretKey that was issued at onboarding, without white space around it',
  ),
  RAMP_API_PRIVATE_KEY: text(
    /^-----BEGIN [A-Z ]+-----/,
    'the whole APIPrivateKey (PEM), with line breaks or with \\n in their place',
  ).transform((pem) => pem.replaceAll('\\n', '\n')),
  RAMP_WEBHOOK_PUBLIC_KEY: text(
    /^-----BEGIN [A-Z ]*PUBLIC KEY-----/,
    'the whole WebhookPublicKey (PEM), with line breaks or with \\n in their place',
  ).transform((pem) => pem.replaceAll('\\n', '\n')),
  RAMP_WEBHOOK_URL: text(
    /\/api\/ramp\/webhook$/,
    'the public address of /api/ramp/webhook, exactly as registered with the service, such as https://shop.example/api/ramp/webhook',
  ).transform(createUrlParser('RAMP_WEBHOOK_URL')),
  RAMP_POLL_SECONDS: wholeNumber(600, 1, 60, 'a whole number of seconds from 1 to 600'),
  DATABASE_FILE: text(/^[^\0]+$/, 'the path of a file').default(DATABASE_FILE),
  DATABASE_URL: text(
    /^postgres(?:ql)?:\/\/\S+$/,
    'the address of a PostgreSQL database, such as postgres://user:password@host:5432/shop',
  ).optional(),
  OPERATOR_PASSWORD: text(
    /^.{12,256}$/s,
    'at least 12 random characters, because it gives access to every order',
  ).optional(),
  SESSION_SECRET: text(
    /^.{32,}$/s,
    'at least 32 random characters, because it signs the session cookie',
  ),
  SHOP_ORIGIN: text(/^./, "the exact origin of the shop's pages, such as https://shop.example")
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .refine((origins) => origins.every(isOrigin), {
      error:
        'must list exact origins separated by commas, such as https://shop.example: scheme, host, port if any, and no path',
    }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info'),
});

/**
 * Reads the configuration from the environment. An empty variable counts as missing.
 *
 * @throws ConfigError with every invalid variable and its expected format, and every variable that exposes a secret.
 */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const exposed = findExposedSecrets(given);
  const result = schema.safeParse(given);
  if (!result.success || exposed.length > 0)
    throw new ConfigError([...(result.error?.issues ?? []).map(formatIssue), ...exposed]);
  const { data } = result;
  return {
    host: data.HOST,
    port: data.PORT,
    trustProxy: data.TRUST_PROXY,
    widgetUrl: data.RAMP_WIDGET_URL,
    apiUrl: data.RAMP_API_URL,
    partnerId: data.RAMP_PARTNER_ID,
    secretKey: data.RAMP_SECRET_KEY,
    apiPrivateKey: data.RAMP_API_PRIVATE_KEY,
    webhookPublicKey: data.RAMP_WEBHOOK_PUBLIC_KEY,
    webhookUrl: data.RAMP_WEBHOOK_URL,
    pollSeconds: data.RAMP_POLL_SECONDS,
    databaseFile: data.DATABASE_FILE,
    databaseUrl: data.DATABASE_URL,
    operatorPassword: data.OPERATOR_PASSWORD,
    sessionSecret: data.SESSION_SECRET,
    shopOrigins: data.SHOP_ORIGIN,
    logLevel: data.LOG_LEVEL,
  };
}

function formatIssue(issue: { readonly path: readonly PropertyKey[]; readonly message: string }) {
  return `${String(issue.path[0])} ${issue.message}.`;
}

function createUrlParser(variable: string) {
  return (value: string, context: z.RefinementCtx): string => {
    try {
      return parseServiceUrl(value, variable);
    } catch {
      context.addIssue(
        'must be an address without query or fragment: https:, or http: on loopback',
      );
      return z.NEVER;
    }
  };
}

function isOrigin(text: string): boolean {
  try {
    const { origin, protocol } = new URL(text);
    return origin === text && /^https?:$/.test(protocol);
  } catch {
    return false;
  }
}
