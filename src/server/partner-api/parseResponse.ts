import { parse } from 'lossless-json';
import { parseEnvelope } from '../../protocol/api/parseResources.js';
import { isRampError, RampError } from '../../protocol/errors/RampError.js';
import { decodeUtf8, readBodyWithLimit } from '../internal/readBodyWithLimit.js';
import { describeClockSkew } from './clockSkew.js';
import { TransientError } from './TransientError.js';

const MAX_RESPONSE_BYTES = 2_000_000;

/**
 * Returns the `data` of a response of the service (docs/service-interface.md section 2.1), with numbers as
 * text.
 *
 * @param what - The request, for messages.
 * @param now - The clock of this server, milliseconds.
 * @throws RampError `ERR_API_RESPONSE` or `ERR_RESPONSE_INVALID`, as a {@link TransientError} if the status
 * allows a retry; and the error of a broken stream.
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
      'the response is a redirect, which signed requests do not follow; check baseUrl',
    );
  }
  const bytes = await readBodyWithLimit(response.body, MAX_RESPONSE_BYTES);
  if (!bytes) throw createInvalidError('the response is larger than 2 MB');
  const data = parseEnvelope(parseJson(bytes));
  if (response.ok) return data;
  throw createInvalidError('the response has the code of success and the status of an error');
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return parse(decodeUtf8(bytes), null, (digits) => digits);
  } catch {
    // Without the cause, which quotes the body.
    throw createInvalidError('the response is not JSON');
  }
}

const createInvalidError = (message: string) =>
  new RampError('ERR_RESPONSE_INVALID', `${message}.`);

/** Parses `Retry-After`, seconds or a date (RFC 9110), into milliseconds. */
function parseRetryAfter({ headers }: Response, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Describes a wrong clock: the only cause of a refused signature that the client can detect. */
function describeClock(response: Response, apiCode: string | undefined, now: number): string {
  const skew = apiCode === '10003' ? describeClockSkew(response, now) : undefined;
  return skew ? ` The clock of this server ${skew}` : '';
}
