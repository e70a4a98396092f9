import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type RefusedWidget,
  readWidgetQuery,
  type ValidationContext,
  type VerifiedWidget,
  validateWidgetQuery,
} from './validateWidgetQuery.js';

interface VerifyContext extends ValidationContext {
  readonly secretKey: string;
  /** Parameter names outside section 4.7 of the service interface that this service also signs. @default none */
  readonly extraSignedParams?: readonly string[];
}

/**
 * Verifies the query of a widget URL as the service does (section 5.3).
 *
 * @param query - The query of the URL, percent-encoded, with or without `?`.
 * @example
 * verifyWidgetQuery('amount=100', { partnerId, secretKey, nowSeconds, toleranceSeconds: 300 });
 * // { ok: true, widget: 'on-ramp', tier: 'basic', params: { amount: '100' }, signed: [] }
 */
export function verifyWidgetQuery(
  query: string,
  context: VerifyContext,
): VerifiedWidget | RefusedWidget {
  const read = readWidgetQuery(query, context.extraSignedParams);
  const isSigned =
    read.ok && isSignatureOf(read.params.signature ?? '', read.payload, context.secretKey);
  return validateWidgetQuery(read, isSigned, context);
}

/**
 * Compares the base64 text, not the decoded bytes, because several base64 texts decode to the same bytes, and only
 * one of them is correct.
 */
function isSignatureOf(given: string, payload: string, secretKey: string): boolean {
  const expected = createHmac('sha256', secretKey).update(payload, 'utf8').digest('base64');
  const [a, b] = [Buffer.from(given, 'utf8'), Buffer.from(expected, 'utf8')];
  return a.length === b.length && timingSafeEqual(a, b);
}
