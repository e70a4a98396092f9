import { describe, expect, it, vi } from 'vitest';
import { type BackendSettings, fetchBackend } from '../../../src/client/backend/fetchBackend.js';
import {
  parseRetryAfter,
  requestBackend,
  requestJson,
  toRampError,
  withTimeout,
} from '../../../src/client/backend/responses.js';
import { RampError } from '../../../src/index.js';

/** Requests `/x` from a backend that responds with `response`, or that fails if `response` is an error. */
const request = (response: Response | Error) =>
  requestJson('ERR_SIGNER', [
    {
      api: '/api/ramp/',
      fetch: async () => {
        if (response instanceof Error) throw response;
        return response;
      },
    },
    '/x',
    {},
  ]);

const failure = async (response: Response | Error) =>
  request(response).then(
    () => Promise.reject(new Error('The reply was read.')),
    (error: unknown) => error,
  );

describe('fetchBackend', () => {
  it('sets headers of the request over those of the settings, whatever their case', async () => {
    const send = vi.fn(async () => new Response());
    const settings = { headers: async () => ({ accept: '*/*', 'X-Csrf': 't' }), fetch: send };
    await fetchBackend(settings as never, '/x', { headers: { Accept: 'text/event-stream' } });
    const [, { headers }] = send.mock.calls[0] as unknown as [string, { headers: Headers }];
    expect([...headers]).toEqual([
      ['accept', 'text/event-stream'],
      ['x-csrf', 't'],
    ]);
  });

  it('rejects with the error of headers', async () => {
    const cause = new Error('no token');
    await expect(fetchBackend({ headers: () => Promise.reject(cause) }, '/x', {})).rejects.toBe(
      cause,
    );
  });
});

describe('a request that gets a 401', () => {
  /** Sends requests to a backend that accepts only the token `fresh`. `headers` returns one of `tokens` at each call. */
  function setUp(...tokens: string[]) {
    const sent: [string, RequestInit, string | null][] = [];
    const headers = vi.fn(() => ({ Authorization: tokens.shift() ?? 'none' }));
    const backend: BackendSettings = {
      api: '/api/ramp',
      headers,
      fetch: async (url, init) => {
        const token = new Headers(init.headers).get('Authorization');
        sent.push([url, init, token]);
        return token === 'fresh'
          ? Response.json({ a: 1 })
          : Response.json({ error: { code: 'ERR_REQUEST', message: 'Sign in.' } }, { status: 401 });
      },
    };
    return { backend, sent, headers };
  }

  it('is repeated once, identically but with the headers of a new call', async () => {
    const { backend, sent } = setUp('old', 'fresh');
    const { signal } = new AbortController();
    const init = { method: 'POST', body: '{"n":1}', signal, headers: { Accept: 'text/plain' } };
    expect(await requestJson('ERR_SIGNER', [backend, '/x', init])).toEqual({ a: 1 });
    expect(sent.map(([, , token]) => token)).toEqual(['old', 'fresh']);
    for (const [url, { headers, ...rest }] of sent) {
      expect(url).toBe('/api/ramp/x');
      expect(new Headers(headers).get('Accept')).toBe('text/plain');
      expect(rest).toEqual({ method: 'POST', body: '{"n":1}', signal, credentials: undefined });
    }
  });

  it('fails with the second 401, and is not sent a third time', async () => {
    const { backend, sent } = setUp('old', 'older', 'fresh');
    await expect(requestJson('ERR_SIGNER', [backend, '/x', {}])).rejects.toMatchObject({
      code: 'ERR_REQUEST',
      status: 401,
    });
    expect(sent).toHaveLength(2);
  });

  it('is not repeated if headers is an object, which cannot have changed', async () => {
    const { backend, sent } = setUp();
    const fixed = { ...backend, headers: { Authorization: 'old' } };
    await expect(requestJson('ERR_SIGNER', [fixed, '/x', {}])).rejects.toMatchObject({
      status: 401,
    });
    expect(sent).toHaveLength(1);
  });

  it.each([400, 403, 404, 429, 500, 503])('is not repeated after a %i', async (status) => {
    const { backend, headers } = setUp();
    const fetch = vi.fn(async () => new Response('', { status }));
    await requestBackend([{ ...backend, fetch }, '/x', {}]);
    expect([fetch.mock.calls.length, headers.mock.calls.length]).toEqual([1, 1]);
  });

  it('rejects with the error of headers, if there is no new token', async () => {
    const { backend } = setUp('old');
    const cause = new Error('signed out');
    const headers = vi.fn(backend.headers as () => object).mockImplementationOnce(() => ({}));
    headers.mockImplementationOnce(() => {
      throw cause;
    });
    await expect(requestBackend([{ ...backend, headers } as never, '/x', {}])).rejects.toBe(cause);
  });

  it('fails with ERR_NETWORK if the repetition does not reach the backend', async () => {
    const { backend } = setUp('old', 'old');
    const lost = new TypeError('Failed to fetch');
    const fetch = vi.fn(backend.fetch).mockResolvedValueOnce(new Response('', { status: 401 }));
    fetch.mockRejectedValueOnce(lost);
    await expect(requestBackend([{ ...backend, fetch }, '/x', {}])).rejects.toMatchObject({
      code: 'ERR_NETWORK',
      cause: lost,
    });
  });
});

describe('requestJson', () => {
  it('returns the body of a successful response', async () => {
    expect(await request(Response.json({ a: 1 }))).toEqual({ a: 1 });
  });

  it("throws the backend's error with the status and Retry-After of the response", async () => {
    const body = { error: { code: 'ERR_API_RESPONSE', message: 'Later.' } };
    const init = { status: 503, headers: { 'Retry-After': '3' } };
    const error = await failure(Response.json(body, init));
    expect(error).toBeInstanceOf(RampError);
    expect(error).toMatchObject({
      code: 'ERR_API_RESPONSE',
      message: 'Later.',
      status: 503,
      retryAfterSeconds: 3,
    });
  });

  it.each([
    ['no header', null, 0],
    ['seconds', '120', 120],
    ['a date', 'Sat, 28 Nov 2026 12:00:30 GMT', 30],
    ['a date in the past', 'Sat, 28 Nov 2026 11:00:00 GMT', 0],
    ['nonsense', 'soon', 0],
    ['a negative number', '-1', 0],
  ])('reads Retry-After: %s', (_, value, seconds) =>
    expect(parseRetryAfter(value, Date.parse('2026-11-28T12:00:00Z'))).toBe(seconds),
  );

  it('throws the given code with the URL and status of a response that is not a ramp handler’s', async () => {
    expect(await failure(new Response('<html>', { status: 502 }))).toMatchObject({
      code: 'ERR_SIGNER',
      message: '/api/ramp/x returned 502, not from a ramp handler.',
      status: 502,
      retryAfterSeconds: 0,
    });
  });

  it('throws ERR_NETWORK with the cause when the backend cannot be reached', async () => {
    const cause = new TypeError('Failed to fetch');
    const error = await failure(cause);
    expect(error).toMatchObject({ code: 'ERR_NETWORK', cause });
    expect((error as RampError).status).toBeUndefined();
  });
});

describe('withTimeout', () => {
  const wait = (signal: AbortSignal) =>
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
    );

  it('aborts the work and throws ERR_TIMEOUT when the time is up', async () => {
    let signal: AbortSignal | undefined;
    const late = withTimeout(10, 'The backend', undefined, (own) => {
      signal = own;
      return wait(own);
    });
    await expect(late).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      message: 'The backend did not respond within 0.01 s.',
    });
    expect(signal?.aborted).toBe(true);
  });

  it('does not wait for work that ignores its signal', async () => {
    const late = withTimeout(10, 'The signer', undefined, () => new Promise<never>(() => {}));
    await expect(late).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
  });

  it.each([
    ['aborts', (controller: AbortController) => setTimeout(() => controller.abort())],
    ['is aborted already', (controller: AbortController) => controller.abort()],
  ])('aborts the work when the signal of the caller %s', async (_, abort) => {
    const controller = new AbortController();
    abort(controller);
    const work = withTimeout(60_000, 'The backend', controller.signal, (signal) =>
      signal.aborted ? Promise.reject(new DOMException('', 'AbortError')) : wait(signal),
    );
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('keeps the signal of successful work', async () => {
    const signal = await withTimeout(60_000, 'The backend', undefined, async (own) => own);
    expect(signal.aborted).toBe(false);
  });
});

describe('toRampError', () => {
  it('returns a RampError of another copy of the package', () => {
    const error = Object.assign(new Error('No.'), { name: 'RampError', code: 'ERR_SIGNER' });
    expect(toRampError(error, 'ERR_NETWORK', 'Lost.')).toBe(error);
  });

  it.each([new Error('boom'), 'boom', undefined])('wraps %s', (cause) => {
    const error = toRampError(cause, 'ERR_NETWORK', 'Lost.');
    expect(error).toMatchObject({ code: 'ERR_NETWORK', message: 'Lost.' });
    expect(error.cause).toBe(cause);
  });
});
