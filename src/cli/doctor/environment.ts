import { createPublicKey, type KeyObject } from 'node:crypto';
import { isRampError } from '../../protocol/errors/isRampError.js';
import { createConfigError } from '../../protocol/errors/RampError.js';
import { parseServiceUrl } from '../../protocol/parseServiceUrl.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import { isWebOrigin, suggestOrigin } from '../../server/handler/allowedOrigins.js';
import { checkText, isQuoted } from '../../server/internal/options.js';
import { parseRsaPrivateKey, parseRsaPublicKey } from '../../server/signing/rsa.js';
import { type Finding, ok, problem, warning } from './Finding.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says about a shop. A value that is missing or malformed is undefined. */
export interface Shop {
  readonly partnerId: string | undefined;
  readonly secretKey: string | undefined;
  readonly apiUrl: string | undefined;
  readonly apiPrivateKey: KeyObject | undefined;
  readonly webhookPublicKey: KeyObject | undefined;
  readonly webhookUrl: string | undefined;
  readonly widgetUrl: string | undefined;
  /** The origins of the pages. Empty if no variable lists them. */
  readonly origins: readonly string[];
  readonly databaseUrl: string | undefined;
  readonly databaseFile: string | undefined;
}

/** What each variable must be set to: completes "Set it to …". */
const CONTENTS = {
  RAMP_PARTNER_ID: 'the partner ID that was issued at onboarding',
  RAMP_SECRET_KEY: 'the SecretKey that was issued at onboarding',
  RAMP_API_URL: "the service's API address, such as https://api.example",
  RAMP_API_PRIVATE_KEY: 'the whole APIPrivateKey (PEM)',
  RAMP_WEBHOOK_PUBLIC_KEY: "the service's whole WebhookPublicKey (PEM)",
  RAMP_WEBHOOK_URL:
    'the address of your webhook exactly as registered with the service, such as https://shop.example/api/ramp/webhook',
  RAMP_WIDGET_URL: "the service's widget address without /home, such as https://pay.example",
} as const;

type Name = keyof typeof CONTENTS;

/** The variables that hold secrets. No output may contain their values. */
const SECRETS = ['RAMP_SECRET_KEY', 'RAMP_API_PRIVATE_KEY', 'DATABASE_URL'] as const;
const OTHER_SECRETS = /SECRET|PASSWORD|PRIVATE|TOKEN/;

/** The variables that list the pages' origins in the example shops, including those in other languages. */
const ORIGIN_NAMES = ['SHOP_ORIGIN', 'SHOP_ORIGINS', 'RAMP_ALLOWED_ORIGINS'];

/** Reads a shop's variables, and reports any that are missing, malformed, published, or mixed from two environments. */
export function readEnvironment(env: Environment): { shop: Shop; findings: Finding[] } {
  const findings: Finding[] = [];
  const read = <T>(
    name: Name,
    parse: (value: string, name: string) => T,
    given = name as string,
  ) => {
    const value = env[given];
    if (!value?.trim()) return undefined;
    try {
      return parse(value, given);
    } catch (error) {
      if (!isRampError(error)) throw error;
      findings.push(problem('environment', ...splitCure(error.message, CONTENTS[name])));
      return undefined;
    }
  };
  const readPem = (name: Name, parse: typeof parseRsaPrivateKey) =>
    read(name, (value, what) => {
      if (isQuoted(value) || !value.includes('\\n')) return parse(value, what);
      const key = parse(value.replaceAll('\\n', '\n'), what);
      findings.push(
        warning(
          'environment',
          `${what} contains the two characters \\n in place of its line breaks.`,
          "Put it between double quotes in the .env file, unless your server replaces them: key.replaceAll('\\\\n', '\\n').",
        ),
      );
      return key;
    });

  findings.push(...findMissing(env));
  const widgetName = findWidgetName(env);
  const shop: Shop = {
    partnerId: read('RAMP_PARTNER_ID', parsePartnerId),
    secretKey: read('RAMP_SECRET_KEY', parseSecretKey),
    apiUrl: read('RAMP_API_URL', parseApiUrl),
    apiPrivateKey: readPem('RAMP_API_PRIVATE_KEY', parseRsaPrivateKey),
    webhookPublicKey: readPem('RAMP_WEBHOOK_PUBLIC_KEY', parseRsaPublicKey),
    webhookUrl: read('RAMP_WEBHOOK_URL', (value, name) => {
      parseUrl(value, name);
      // The path is part of the signed text, so keep its trailing slash.
      return new URL(value).href;
    }),
    widgetUrl: read('RAMP_WIDGET_URL', parseWidgetUrl, widgetName),
    origins: readOrigins(env, findings),
    databaseUrl: env.DATABASE_URL?.trim() || undefined,
    databaseFile: env.DATABASE_FILE?.trim() || undefined,
  };
  findings.push(
    ...findOwnKey(shop),
    ...findMixedAddresses(shop, widgetName),
    ...findPublished(env),
  );
  if (!findings.some(({ status }) => status === 'problem'))
    findings.unshift(
      ok(
        'environment',
        isOnLoopback(shop.apiUrl)
          ? 'The variables are complete. RAMP_API_URL is a sandbox on this machine: run this command again with the variables of production.'
          : 'The variables are complete.',
      ),
    );
  return { shop, findings };
}

/** Returns whether an address leads to this machine, where only a sandbox runs. */
export const isOnLoopback = (url: string | undefined): boolean =>
  url !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

/** Returns a function that hides the environment's secrets in a text, in case a message quotes one. */
export function createMask(env: Environment): (text: string) => string {
  const secrets = Object.entries(env)
    .filter(([name]) => isSecretName(name))
    .flatMap(([, value]) => (value ?? '').split(/\r?\n|\\n/))
    .concat(findPasswords(env.DATABASE_URL))
    .map((line) => line.trim())
    .filter((line) => line.length >= 8 && !/^["']?-----/.test(line));
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text);
}

const isSecretName = (name: string) =>
  (SECRETS as readonly string[]).includes(name) || OTHER_SECRETS.test(name);

function findPasswords(url: string | undefined): string[] {
  if (!url || !URL.canParse(url)) return [];
  const { password } = new URL(url);
  return [password, decodeURIComponent(password)];
}

/** Splits one of the library's messages into the problem and the cure at its end. */
function splitCure(message: string, content: string): [string, string] {
  const end = message.indexOf('. ');
  if (end < 0) return [message, `Set it to ${content}.`];
  return [message.slice(0, end + 1), message.slice(end + 2)];
}

const WEBHOOK_NAMES: readonly Name[] = ['RAMP_WEBHOOK_PUBLIC_KEY', 'RAMP_WEBHOOK_URL'];

function findMissing(env: Environment): Finding[] {
  const missing = (Object.keys(CONTENTS) as Name[]).filter((name) =>
    name === 'RAMP_WIDGET_URL' ? !env[findWidgetName(env)]?.trim() : !env[name]?.trim(),
  );
  const hasNoWebhook = WEBHOOK_NAMES.every((name) => missing.includes(name));
  const findings = missing
    .filter((name) => !(hasNoWebhook && WEBHOOK_NAMES.includes(name)))
    .map((name) => {
      const cure = `Set it to ${CONTENTS[name]}.`;
      // A page may get the address at build time, where this command cannot see it.
      return name === 'RAMP_WIDGET_URL'
        ? warning('environment', `${name} and VITE_${name} are missing.`, cure)
        : problem('environment', `${name} is missing.`, cure);
    });
  if (hasNoWebhook)
    findings.push(
      warning(
        'environment',
        `${WEBHOOK_NAMES.join(' and ')} are missing, so the shop finds its orders by polling only.`,
        'Set both, and pass them to createRamp.',
      ),
    );
  return findings;
}

/**
 * Returns the name of the variable that holds the widget's address. Bundlers pass only prefixed variables to the page.
 */
const findWidgetName = (env: Environment): string =>
  ['RAMP_WIDGET_URL', 'VITE_RAMP_WIDGET_URL', 'NEXT_PUBLIC_RAMP_WIDGET_URL'].find((name) =>
    env[name]?.trim(),
  ) ?? 'RAMP_WIDGET_URL';

function parsePartnerId(value: string, name: string): string {
  checkText(name, value);
  const { pattern, words } = valueFormats.token;
  if (pattern.test(value)) return value;
  throw createConfigError(name, `must be ${words}.`);
}

function parseSecretKey(value: string, name: string): string {
  checkText(name, value);
  if (value === value.trim()) return value;
  throw createConfigError(name, 'has white space around it. Remove it.');
}

function parseUrl(value: string, name: string): string {
  checkText(name, value);
  return parseServiceUrl(value, name);
}

const parseApiUrl = (value: string, name: string): string => {
  const url = parseUrl(value, name);
  if (!/\/open\/api(?:\/|$)/.test(url)) return url;
  throw createConfigError(name, 'ends with /open/api. Remove it, because the client adds it.');
};

const parseWidgetUrl = (value: string, name: string): string => {
  const url = parseUrl(value, name);
  if (!url.endsWith('/home')) return url;
  throw createConfigError(name, 'ends with /home. Remove it, because the page adds it.');
};

/** Returns the valid origins, and adds a finding for each invalid one. */
function readOrigins(env: Environment, findings: Finding[]): string[] {
  const name = ORIGIN_NAMES.find((candidate) => env[candidate]?.trim());
  if (!name) return [];
  const entries = (env[name] as string).split(',').map((entry) => entry.trim());
  for (const [index, entry] of entries.entries())
    if (!isWebOrigin(entry))
      findings.push(
        problem(
          'environment',
          `Entry ${index + 1} of ${name} is not an exact origin.`,
          suggestOrigin(entry),
        ),
      );
  return entries.filter(isWebOrigin);
}

/** Reports a webhook key that belongs to the partner, because the shop would then refuse every webhook. */
function findOwnKey({ apiPrivateKey, webhookPublicKey }: Shop): Finding[] {
  if (!apiPrivateKey || !webhookPublicKey) return [];
  if (!createPublicKey(exportPem(apiPrivateKey)).equals(webhookPublicKey)) return [];
  return [
    problem(
      'environment',
      'RAMP_WEBHOOK_PUBLIC_KEY is the public key of your own RAMP_API_PRIVATE_KEY.',
      `Set it to ${CONTENTS.RAMP_WEBHOOK_PUBLIC_KEY}.`,
    ),
  ];
}

const exportPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;

/** Matches a host whose name suggests a test environment. */
const TEST_HOST = /(?:^|[.-])(?:sandbox|test|testing|staging|stage|dev|uat|sit|demo)(?:[.-]|$)/;

/** Reports addresses if only some of them belong to a test environment. */
function findMixedAddresses(
  { apiUrl, widgetUrl, webhookUrl }: Shop,
  widgetName: string,
): Finding[] {
  const cure = 'Copy all addresses and keys from the same environment of the service.';
  const others = Object.entries({ [widgetName]: widgetUrl, RAMP_WEBHOOK_URL: webhookUrl });
  if (!apiUrl) return [];
  const findings = others
    .filter(([, url]) => url && isOnLoopback(url) !== isOnLoopback(apiUrl))
    .map(([name, url]) => {
      const [here, there] = isOnLoopback(url) ? [name, 'RAMP_API_URL'] : ['RAMP_API_URL', name];
      return problem('environment', `${here} is on this machine, and ${there} is not.`, cure);
    });
  const isTest = (url: string) => TEST_HOST.test(new URL(url).hostname);
  if (findings.length === 0 && widgetUrl && isTest(widgetUrl) !== isTest(apiUrl))
    findings.push(
      warning(
        'environment',
        `Only one of RAMP_API_URL and ${widgetName} looks like the address of a test environment.`,
        cure,
      ),
    );
  return findings;
}

/** Matches the names of variables that bundlers build into the page. */
const PUBLIC = /^(?:VITE|REACT_APP|GATSBY|(?:[A-Z]+_)?PUBLIC)_/;

/** Reports secrets in variables that bundlers build into the page. */
function findPublished(env: Environment): Finding[] {
  const toCore = (text = '') => text.replace(/-----[A-Z ]+-----|\\n|["'\s]/g, '');
  return Object.keys(env)
    .filter((name) => PUBLIC.test(name))
    .flatMap((name) =>
      SECRETS.filter((secret) => {
        const core = toCore(env[secret]);
        return core.length >= 8 && toCore(env[name]).includes(core);
      }).map((secret) =>
        problem(
          'environment',
          `${name} holds the value of ${secret}, and bundlers build such variables into the page.`,
          'Remove it, and have the key replaced if a build was ever published.',
        ),
      ),
    );
}
