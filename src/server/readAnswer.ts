import { isRampError } from '../protocol/is-ramp-error.js';
import { parseEnvelope } from '../protocol/parse-resources.js';
import { RampError } from '../protocol/ramp-error.js';
import { clockSkew } from './clockSkew.js';
import { PassingFailure } from './PassingFailure.js';
import { readBounded, utf8 } from './readBounded.js';

const MAX_ANSWER_BYTES = 2_000_000;

/**
 * The `data` of the service's answer (section 2.1), its numbers as text.
 *
 * @param what - The request, for messages.
 * @param now - The clock of this server, milliseconds.
 * @throws RampError `ERR_API_RESPONSE`, `ERR_RESPONSE_INVALID`; as a {@link PassingFailure} where
 * the status says that another try may go well. A stream that breaks throws as it does.
 */
export async function readAnswer(response: Response, what: string, now: number): Promise<unknown> {
  try {
    return await dataOf(response);
  } catch (error) {
    if (!isRampError(error)) throw error;
    const { code, apiCode, issues } = error;
    const status = response.ok ? '' : ` (status ${response.status})`;
    const message = `${what}${status}: ${error.message}${clockHint(response, apiCode, now)}`;
    const details = { apiCode, issues, retryAfterMs: retryAfterMs(response, now) };
    if (response.status === 429 || response.status >= 500)
      throw new PassingFailure(code, message, { ...details, status: response.status });
    throw new RampError(code, message, details);
  }
}

async function dataOf(response: Response): Promise<unknown> {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw invalid('it redirects, and a signed request follows no redirect; check baseUrl');
  }
  const bytes = await readBounded(response.body, MAX_ANSWER_BYTES);
  if (!bytes) throw invalid('the answer is larger than 2 MB');
  const data = parseEnvelope(await parseJson(bytes));
  if (response.ok) return data;
  throw invalid('success with such a status is no success');
}

async function parseJson(bytes: Uint8Array): Promise<unknown> {
  const { parse } = await import('lossless-json');
  try {
    return parse(utf8(bytes), null, (digits) => digits);
  } catch {
    // The cause quotes the body.
    throw invalid('the answer is not JSON');
  }
}

const invalid = (message: string) => new RampError('ERR_RESPONSE_INVALID', `${message}.`);

/** Seconds or a date (RFC 9110). */
function retryAfterMs({ headers }: Response, now: number): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** A clock that is wrong is the one cause of a refused signature that can be seen from here. */
function clockHint(response: Response, apiCode: string | undefined, now: number): string {
  const skew = apiCode === '10003' ? clockSkew(response, now) : undefined;
  return skew ? ` ${skew}` : '';
}
