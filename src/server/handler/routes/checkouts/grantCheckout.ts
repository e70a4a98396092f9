import {
  createConfigError,
  isRampError,
  RampError,
} from '../../../../protocol/errors/RampError.js';
import { findNearestName } from '../../../../protocol/findNearestName.js';
import { valueFormats } from '../../../../protocol/widget/valueFormats.js';
import type { CheckoutGrant, CheckoutPolicy, CheckoutRequest } from '../../CheckoutPolicy.js';

const GRANT_NAMES = Object.keys({
  params: true,
  subject: true,
  expectedAmount: true,
  expectedFiatCurrency: true,
  metadata: true,
  extraParams: true,
  extraSignedParams: true,
} satisfies Record<keyof CheckoutGrant, true>);

/**
 * Calls the partner's policy and validates its grant.
 *
 * @throws RampError `ERR_POLICY_REFUSED` when the policy throws, `ERR_CONFIG_INVALID` when its grant is
 * invalid.
 */
export async function grantCheckout<Context>(
  policy: CheckoutPolicy<Context>,
  asked: CheckoutRequest<Context>,
): Promise<CheckoutGrant> {
  let grant: CheckoutGrant;
  try {
    grant = await policy(asked);
  } catch (cause) {
    throw isRampError(cause) && cause.code === 'ERR_POLICY_REFUSED'
      ? cause
      : new RampError('ERR_POLICY_REFUSED', 'This checkout is not allowed.', { cause });
  }
  const wrong = findGrantIssue(grant);
  if (wrong) throw createConfigError('The checkout policy', `${wrong}.`);
  return grant;
}

function findGrantIssue(grant: CheckoutGrant): string | undefined {
  if (Object.prototype.toString.call(grant?.params) !== '[object Object]')
    return 'returned no params: it must return { params, subject }, with params as a plain object';
  const misspelt = Object.keys(grant).find((name) => !GRANT_NAMES.includes(name));
  const nearest = misspelt && findNearestName(misspelt, GRANT_NAMES);
  if (nearest) return `returned ${misspelt}, which is ignored. Did you mean ${nearest}?`;
  if (typeof grant.subject === 'number' || typeof grant.subject === 'bigint')
    return `returned a subject that is a ${typeof grant.subject}: it must be text, such as String(user.id)`;
  if (typeof grant.subject !== 'string' || grant.subject === '')
    return 'returned no subject: set it to the id of the user or session that the checkout belongs to';
  if ('ext' in grant.params)
    return 'set ext, which carries the checkout reference: put your data into metadata';
  if (grant.expectedAmount !== undefined && !isFiatAmount(grant.expectedAmount))
    return `returned an expectedAmount that is not ${valueFormats.fiatAmount.words}`;
  if (grant.expectedFiatCurrency !== undefined && !isFiat(grant.expectedFiatCurrency))
    return `returned an expectedFiatCurrency that is not ${valueFormats.fiat.words}`;
  if (grant.expectedAmount !== undefined && grant.expectedFiatCurrency === undefined)
    return 'returned an expectedAmount without expectedFiatCurrency: 100 JPY are not 100 USD';
  if (grant.metadata !== undefined && !isJson(grant.metadata))
    return 'returned metadata that is not JSON, such as a bigint or a function, so no database can store it';
  return undefined;
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function isFiat(currency: unknown): boolean {
  return typeof currency === 'string' && valueFormats.fiat.pattern.test(currency);
}

function isFiatAmount(amount: unknown): boolean {
  return typeof amount === 'string' && valueFormats.fiatAmount.pattern.test(amount);
}
