import { isRampError, type RampIssue } from '../../protocol/errors/RampError.js';
import { parseWidgetParams } from '../../protocol/widget/parseWidgetParams.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import {
  getWidgetParameters,
  type Tier,
  type Widget,
  type WidgetParameter,
  widgetParameters,
} from '../../protocol/widget/widgetParameters.js';
import { decodeQuery } from '../requests.js';

interface WidgetQuery {
  readonly ok: true;
  readonly widget: Widget;
  /** Every non-empty parameter of the URL, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly signed: SignedItems;
  /** The text that the service signs for this query. */
  readonly payload: string;
}

/** An ambiguous query, which two parsers could read differently. */
interface UnreadableQuery {
  readonly ok: false;
  readonly code: 10002;
  readonly reason: 'query';
  readonly message: string;
}

/** Names and values that take part in a signature, in the order in which they are joined. */
export type SignedItems = readonly (readonly [name: string, value: string])[];

const table: readonly WidgetParameter[] = widgetParameters;
const onRampNames = new Set(
  table.filter(({ widgets }) => widgets.includes('on-ramp')).map(({ name }) => name),
);
const nftOnly = table.map(({ name }) => name).filter((name) => !onRampNames.has(name));

/**
 * Parses the query of a widget URL as the service does (service interface, section 5.3). This function shares
 * only the parameter table with the signer: if both used the same faulty code, the signatures would match and no test
 * would find the fault.
 *
 * @param query - The query of the URL, percent-encoded, with or without `?`.
 * @param extraSigned - Parameter names outside section 4.7 that this service also signs.
 */
export function readWidgetQuery(
  query: string,
  extraSigned: readonly string[] = [],
): WidgetQuery | UnreadableQuery {
  const read = decodeQuery(query);
  if (!read.ok) return { ok: false, code: 10002, reason: 'query', message: read.message };
  const { params } = read;
  const widget: Widget = nftOnly.some((name) => params[name]) ? 'nft' : 'on-ramp';
  const signed = selectSignedItems(widget, params, extraSigned);
  const payload = signed.map(([name, value]) => `${name}=${value}`).join('&');
  return { ok: true, widget, params, signed, payload };
}

function selectSignedItems(
  widget: Widget,
  params: WidgetQuery['params'],
  extra: readonly string[],
): SignedItems {
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

/** The service's state that validation needs, except its key. */
export interface ValidationContext {
  /** The partner ID of this service's only Premium Partner. */
  readonly partnerId: string;
  /** The service's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** Maximum difference between a timestamp and the clock, in either direction. */
  readonly toleranceSeconds: number;
}

/** The reason why a URL is refused. Partners' tests may rely on these names, so they do not change. */
type RefusalReason =
  | 'query'
  | 'premium-only'
  | 'unknown-partner'
  | 'incomplete'
  | 'signature'
  | 'timestamp-expired'
  | 'timestamp-in-future'
  | 'params';

export interface VerifiedWidget {
  readonly ok: true;
  readonly widget: Widget;
  readonly tier: Tier;
  /** Every non-empty parameter of the URL, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly signed: SignedItems;
}

export interface RefusedWidget {
  readonly ok: false;
  /** `10003` Signature error, `10002` incorrect params (service interface, section 7). */
  readonly code: 10003 | 10002;
  readonly reason: RefusalReason;
  /** One sentence. Never contains a secret or the expected signature. */
  readonly message: string;
  readonly widget?: Widget;
  readonly issues?: readonly RampIssue[];
  /** The text that the service signs for this URL. Absent when the query could not be parsed. */
  readonly payload?: string;
  /**
   * The items of `payload`, in order. They cannot be read from the text, because a value may itself contain `&` or
   * `=`.
   */
  readonly signed?: SignedItems;
}

const premiumOnly = table.filter((row) => row.premiumOnly).map(({ name }) => name);

/**
 * Applies all of the service's rules to a widget URL. The caller verifies the signature, so that this function works
 * with any HMAC implementation.
 *
 * @param isSigned - Whether the signature in `query` matches its payload.
 */
export function validateWidgetQuery(
  query: WidgetQuery | UnreadableQuery,
  isSigned: boolean,
  context: ValidationContext,
): VerifiedWidget | RefusedWidget {
  if (!query.ok) return query;
  const { widget, params, signed, payload } = query;
  // A URL with this partnerId but without timestamp, nonce and signature also counts as Premium: it is a signed URL
  // that has lost its signature.
  const tier: Tier =
    params.partnerId === context.partnerId || params.signature || params.timestamp || params.nonce
      ? 'premium'
      : 'basic';
  const refusal =
    (tier === 'premium'
      ? findSignatureRefusal(params, isSigned, context)
      : findPremiumOnlyRefusal(params, widget)) ?? findFormatRefusal(widget, tier, params);
  if (refusal) return { ok: false, ...refusal, widget, payload, signed };
  return { ok: true, widget, tier, params, signed };
}

type Params = VerifiedWidget['params'];
type Refusal = Pick<RefusedWidget, 'code' | 'reason' | 'message' | 'issues'>;

function findSignatureRefusal(
  params: Params,
  isSigned: boolean,
  { partnerId, nowSeconds, toleranceSeconds }: ValidationContext,
): Refusal | undefined {
  const refuse = (reason: RefusalReason, message: string): Refusal => ({
    code: 10003,
    reason,
    message,
  });
  const { timestamp = '' } = params;
  const missing = ['partnerId', 'timestamp', 'nonce', 'signature'].filter((name) => !params[name]);
  if (missing.length > 0) return refuse('incomplete', `The URL is missing ${missing.join(', ')}.`);
  if (params.partnerId !== partnerId)
    return refuse(
      'unknown-partner',
      'Unknown partnerId: it is not the partner ID of this sandbox.',
    );
  if (!isSigned)
    return refuse(
      'signature',
      'The signature does not match the text that the service signs for this URL.',
    );
  // A malformed timestamp, such as one in milliseconds, passes here: `findFormatRefusal` reports it.
  const age = /^\d{10}$/.test(timestamp) ? nowSeconds - Number(timestamp) : 0;
  const takes = `the limit is ${toleranceSeconds} seconds.`;
  if (age > toleranceSeconds)
    return refuse('timestamp-expired', `The URL was signed ${age} seconds ago; ${takes}`);
  if (-age > toleranceSeconds)
    return refuse(
      'timestamp-in-future',
      `The timestamp is ${-age} seconds in the future; ${takes}`,
    );
  return undefined;
}

function findPremiumOnlyRefusal(params: Params, widget: Widget): Refusal | undefined {
  const given = widget === 'nft' ? ['NFT checkout'] : premiumOnly.filter((name) => params[name]);
  if (given.length === 0) return undefined;
  const are = given.length > 1 ? 'are' : 'is';
  return {
    code: 10002,
    reason: 'premium-only',
    message: `${given.join(' and ')} ${are} for Premium Partners only, and this URL is not signed.`,
  };
}

function findFormatRefusal(widget: Widget, tier: Tier, params: Params): Refusal | undefined {
  const issues = findFormatIssues(widget, tier, params);
  if (issues.length === 0) return undefined;
  return { code: 10002, reason: 'params', message: 'Parameters are missing or malformed.', issues };
}

/**
 * Returns the invalid parameters of a URL whose signature is valid or not required. Names outside
 * section 4.7 of the service interface are ignored, because a service may have more parameters.
 */
function findFormatIssues(
  widget: Widget,
  tier: Tier,
  params: Readonly<Record<string, string>>,
): readonly RampIssue[] {
  const issues: RampIssue[] = [];
  const given: Record<string, string> = {};
  for (const row of getWidgetParameters(widget)) {
    // `params` contains no empty values, but `parseWidgetParams` requires even the parameters that may be empty. So
    // pass those as ''.
    const value = params[row.name] ?? (row.mayBeEmpty && '');
    if (value === undefined) continue;
    // The signer sets these parameters, so `parseWidgetParams` would reject them. Check only their format.
    if (row.managed || (row.name === 'partnerId' && tier === 'premium')) {
      const { pattern, words } = valueFormats[row.format];
      if (!pattern.test(value)) issues.push({ param: row.name, message: `must be ${words}` });
    } else given[row.name] = value;
  }
  try {
    if (tier === 'premium') parseWidgetParams(widget, given);
    else parseWidgetParams(widget, given, 'basic');
  } catch (error) {
    if (!isRampError(error)) throw error;
    issues.push(...(error.issues ?? []));
  }
  return issues;
}
