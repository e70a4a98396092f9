import type { RampIssue } from '../../../protocol/errors/RampError.js';
import type { Tier, Widget, WidgetParameter } from '../../../protocol/widget/WidgetParameter.js';
import { widgetParameters } from '../../../protocol/widget/widgetParameters.js';
import { findFormatIssues } from './findFormatIssues.js';
import type { SignedItems, UnreadableQuery, WidgetQuery } from './readWidgetQuery.js';

/** The state of the service that validation needs, without its key. */
export interface ValidationContext {
  /** The one Premium Partner of this service. */
  readonly partnerId: string;
  /** The service's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** Maximum difference between a timestamp and the clock, in either direction. */
  readonly toleranceSeconds: number;
}

/** The reason why a URL is refused. Reasons are stable. */
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
  /** Every parameter of the URL that has a value, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly signed: SignedItems;
}

export interface RefusedWidget {
  readonly ok: false;
  /** `10003` Signature error, `10002` incorrect params (docs/service-interface.md section 7). */
  readonly code: 10003 | 10002;
  readonly reason: RefusalReason;
  /** One sentence. Never contains a secret or the expected signature. */
  readonly message: string;
  readonly widget?: Widget;
  readonly issues?: readonly RampIssue[];
  /** The text that the service signs for this URL. Absent when the query could not be parsed. */
  readonly payload?: string;
  /** The same text as its items, in order: a value may itself contain `&` or `=`. */
  readonly signed?: SignedItems;
}

const table: readonly WidgetParameter[] = widgetParameters;
const premiumOnly = table.filter((row) => row.premiumOnly).map(({ name }) => name);

/**
 * Applies all rules of the service to a widget URL. It computes no signature, so that it runs with any
 * implementation of HMAC.
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
  // A URL with this partnerId and without the rest is a signed URL that has lost its signature.
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
  // The format check reports a malformed timestamp, such as one in milliseconds.
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
