import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RampIssue } from '../protocol/ramp-error.js';
import type { Tier, Widget, WidgetParameter } from '../protocol/widget-parameter.js';
import { widgetParameters } from '../protocol/widget-parameters.js';
import { formatIssues } from './format-issues.js';
import { readQuery } from './read-query.js';

/** What the service knows when it verifies. */
export interface VerifyContext {
  /** The one Premium Partner of this service. */
  readonly partnerId: string;
  readonly secretKey: string;
  /** The service's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** How far a timestamp may be from it, either way. */
  readonly toleranceSeconds: number;
  /** Names outside section 4.7 that this service signs too. @default none */
  readonly extraSignedParams?: readonly string[];
}

/** Why a URL is refused. Stable. */
type RefusalReason =
  | 'query'
  | 'premium-only'
  | 'unknown-partner'
  | 'incomplete'
  | 'signature'
  | 'too-old'
  | 'in-future'
  | 'params';

export interface VerifiedWidget {
  readonly ok: true;
  readonly widget: Widget;
  readonly tier: Tier;
  /** Every parameter of the URL that has a value, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly signed: SignedItems;
}

export interface RefusedWidget {
  readonly ok: false;
  /** `10003` Signature error, `10002` incorrect params (section 7). */
  readonly code: 10003 | 10002;
  readonly reason: RefusalReason;
  /** One sentence in plain words. Never a secret, never the signature that was expected. */
  readonly message: string;
  readonly widget?: Widget;
  readonly issues?: readonly RampIssue[];
  /** The text that the service built to sign. Absent when the query could not be read. */
  readonly payload?: string;
  /** The same text as its items, in order: a value may itself contain `&` or `=`. */
  readonly signed?: SignedItems;
}

/** Names and values that take part in a signature, in the order in which they are joined. */
export type SignedItems = readonly (readonly [name: string, value: string])[];

const table: readonly WidgetParameter[] = widgetParameters;
const onRampNames = new Set(
  table.filter(({ widgets }) => widgets.includes('on-ramp')).map(({ name }) => name),
);
const nftOnly = table.map(({ name }) => name).filter((name) => !onRampNames.has(name));
const premiumOnly = table.filter((row) => row.premiumOnly).map(({ name }) => name);

/**
 * Verifies the query of a widget URL as the service does (section 5.3), on a path of its own: it
 * shares the names of the parameters with the signer and nothing else, so that a fault in one is
 * seen by the other.
 *
 * @param query - As it stands in the URL, percent-encoded, with or without `?`.
 * @example
 * verifyWidgetQuery('amount=100', { partnerId, secretKey, nowSeconds, toleranceSeconds: 300 });
 * // { ok: true, widget: 'on-ramp', tier: 'basic', params: { amount: '100' }, signed: [] }
 */
export function verifyWidgetQuery(
  query: string,
  context: VerifyContext,
): VerifiedWidget | RefusedWidget {
  const read = readQuery(query);
  if (!read.ok) return { ok: false, code: 10002, reason: 'query', message: read.message };
  const { params } = read;
  const widget: Widget = nftOnly.some((name) => params[name]) ? 'nft' : 'on-ramp';
  const signed = signedItems(widget, params, context.extraSignedParams ?? []);
  const payload = signed.map(([name, value]) => `${name}=${value}`).join('&');
  // Our own partnerId without the rest is a signed URL that has lost its signature.
  const tier: Tier =
    params.partnerId === context.partnerId || params.signature || params.timestamp || params.nonce
      ? 'premium'
      : 'basic';
  const refusal =
    (tier === 'premium'
      ? signatureRefusal(params, payload, context)
      : premiumOnlyRefusal(params, widget)) ?? formatRefusal(widget, tier, params);
  if (refusal) return { ok: false, ...refusal, widget, payload, signed };
  return { ok: true, widget, tier, params, signed };
}

type Params = VerifiedWidget['params'];
type Refusal = Pick<RefusedWidget, 'code' | 'reason' | 'message' | 'issues'>;

function signatureRefusal(
  params: Params,
  payload: string,
  { partnerId, secretKey, nowSeconds, toleranceSeconds }: VerifyContext,
): Refusal | undefined {
  const refuse = (reason: RefusalReason, message: string): Refusal => ({
    code: 10003,
    reason,
    message,
  });
  const { signature = '', timestamp = '' } = params;
  const missing = ['partnerId', 'timestamp', 'nonce', 'signature'].filter((name) => !params[name]);
  if (missing.length > 0) return refuse('incomplete', `The URL has no ${missing.join(', no ')}.`);
  if (params.partnerId !== partnerId)
    return refuse('unknown-partner', 'The service does not know this partnerId.');
  if (!sameSignature(signature, payload, secretKey))
    return refuse(
      'signature',
      'The signature does not belong to the text that this URL says was signed.',
    );
  // A timestamp that is none (milliseconds, say) is a matter of its format.
  const age = /^\d{10}$/.test(timestamp) ? nowSeconds - Number(timestamp) : 0;
  const takes = `the service takes ${toleranceSeconds}.`;
  if (age > toleranceSeconds)
    return refuse('too-old', `The URL was signed ${age} seconds ago; ${takes}`);
  if (-age > toleranceSeconds)
    return refuse('in-future', `The timestamp is ${-age} seconds in the future; ${takes}`);
  return undefined;
}

function premiumOnlyRefusal(params: Params, widget: Widget): Refusal | undefined {
  const given = widget === 'nft' ? ['NFT checkout'] : premiumOnly.filter((name) => params[name]);
  if (given.length === 0) return undefined;
  const are = given.length > 1 ? 'are' : 'is';
  return {
    code: 10002,
    reason: 'premium-only',
    message: `${given.join(' and ')} ${are} for Premium Partners, and this URL is not signed.`,
  };
}

function formatRefusal(widget: Widget, tier: Tier, params: Params): Refusal | undefined {
  const issues = formatIssues(widget, tier, params);
  if (issues.length === 0) return undefined;
  return { code: 10002, reason: 'params', message: 'Parameters are missing or malformed.', issues };
}

function signedItems(widget: Widget, params: Params, extra: readonly string[]): SignedItems {
  const takesPart = (name: string) =>
    extra.includes(name) ||
    table.some(
      (row) => row.name === name && row.widgets.includes(widget) && row.signed === 'premium',
    );
  return Object.entries(params)
    .filter(([name]) => takesPart(name))
    .map(([name, value]) => [name, name === 'ext' ? encodeURIComponent(value) : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The text is compared, not the bytes it stands for: base64 has several spellings of one value. */
function sameSignature(given: string, payload: string, secretKey: string): boolean {
  const expected = createHmac('sha256', secretKey).update(payload, 'utf8').digest('base64');
  const [a, b] = [Buffer.from(given, 'utf8'), Buffer.from(expected, 'utf8')];
  return a.length === b.length && timingSafeEqual(a, b);
}
