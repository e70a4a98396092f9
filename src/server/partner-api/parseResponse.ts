import { parseEnvelope } from '../../protocol/api/parseResources.js';
import { isRampError } from '../../protocol/errors/isRampError.js';
import { RampError } from '../../protocol/errors/RampError.js';
import { decodeUtf8, readBodyWithLimit } from '../internal/readBodyWithLimit.js';
import { describeClockSkew } from './clockSkew.js';
import { TransientError } from './TransientError.js';

const MAX_RESPONSE_BYTES = 2_000_000;

/**
 * Returns the `data` of a response of the service (section 2.1), with numbers as
 * text.
 *
 * @param what - The request, for messages.
 * @param now - The clock of this server, milliseconds.
 * @throws RampError `ERR_API_RESPONSE`, `ERR_RESPONSE_INVALID`; a {@link TransientError} when, by its status,
 * another try may succeed; the error of a stream that breaks.
 */
export async function parseResponse(
  response: Response,
  what: string,
  now: number,
): Promise<unknown> {
  try {
    return await readData(response);
  } catch (error) {
    if (!isRampError(error)) throw error;
    const { code, apiCode, issues } = error;
    const status = response.ok ? '' : ` (status ${response.status})`;
    const message = `${what}${status}: ${error.message}${describeClock(response, apiCode, now)}`;
    const details = { apiCode, issues, retryAfterMs: parseRetryAfter(response, now) };
    if (response.status === 429 || response.status >= 500)
      throw new TransientError(code, message, { ...details, status: response.status });
    throw new RampError(code, message, details);
  }
}

async function readData(response: Response): Promise<unknown> {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw createInvalidError(
      'it redirects, and a signed request follows no redirect; check baseUrl',
    );
  }
  const bytes = await readBodyWithLimit(response.body, MAX_RESPONSE_BYTES);
  if (!bytes) throw createInvalidError('the answer is larger than 2 MB');
  const data = parseEnvelope(await parseJson(bytes));
  if (response.ok) return data;
  throw createInvalidError('success with such a status is no success');
}

async function parseJson(bytes: Uint8Array): Promise<unknown> {
  const { parse } = await import('lossless-json');
  try {
    return parse(decodeUtf8(bytes), null, (digits) => digits);
  } catch {
    // The cause quotes the body.
    throw createInvalidError('the answer is not JSON');
  }
}

const createInvalidError = (message: string) =>
  new RampError('ERR_RESPONSE_INVALID', `${message}.`);

/** Parses `Retry-After`: seconds or a date (RFC 9110). */
function parseRetryAfter({ headers }: Response, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Describes a wrong clock: the only cause of a refused signature that this side can detect. */
function describeClock(response: Response, apiCode: string | undefined, now: number): string {
  const skew = apiCode === '10003' ? describeClockSkew(response, now) : undefined;
  return skew ? ` The clock of this server ${skew}` : '';
}
