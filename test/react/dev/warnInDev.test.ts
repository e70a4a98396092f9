import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHttpSigner, RampError } from '../../../src/index.js';
import { warnInDev } from '../../../src/react/dev/warnInDev.js';
import { memoryOrderStore } from '../../../src/server/index.js';
import { createTestHandler, origin } from '../../support/server/createTestHandler.js';

afterEach(() => vi.restoreAllMocks());

/** What the console says of an error. */
function said(error: RampError, settings = {}): readonly unknown[] {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  warnInDev(error, settings);
  return warn.mock.calls[0] ?? [];
}

/** The error of a signer whose backend answers like this. */
const failure = (answer: typeof fetch): Promise<RampError> =>
  createHttpSigner({ url: 'https://shop.example/api/ramp', fetch: answer })(
    { widget: 'on-ramp', params: {} },
    { signal: new AbortController().signal },
  ).then(
    () => Promise.reject(new Error('It did not fail.')),
    (error) => error,
  );

describe('the console of a development build', () => {
  it('asks for the backend, its handler and the proxy where no ramp handler answers', async () => {
    const error = await failure(async () => new Response('<html>', { status: 404 }));
    expect(said(error)).toEqual([
      expect.stringMatching(/ERR_SIGNER: .*404.*running.*handler.*proxy/),
    ]);
  });

  it('asks whether the backend runs and takes the page where nobody answers, with the cause', async () => {
    const cause = new TypeError('Failed to fetch');
    const error = await failure(() => Promise.reject(cause));
    expect(said(error)).toEqual([expect.stringMatching(/running.*allowedOrigins/), cause]);
  });

  it.each([
    [
      'the policy',
      {
        policy: () => {
          throw new TypeError('x');
        },
      },
    ],
    [
      'the store',
      { store: { ...memoryOrderStore(), saveIntent: () => Promise.reject(new Error('x')) } },
    ],
  ])('sends to the backend for what %s threw', async (_, options) => {
    const handler = createTestHandler(options);
    const error = await failure((url, { body, headers = {} } = {}) => {
      const all = { ...Object.fromEntries(new Headers(headers)), origin };
      return handler(
        new Request(url as string, { method: 'POST', body: body ?? '', headers: all }),
      );
    });
    expect(said(error)).toEqual([expect.stringMatching(/onError.*createRampHandler/)]);
  });

  it.each([
    [401, /before the ramp handler.*session.*CSRF token/],
    [403, /before the ramp handler.*session.*CSRF token/],
    [429, /rate limit before the ramp handler.*Raise it/],
  ])('names what is before the handler when it gets a %i', async (status, reason) => {
    const error = await failure(async () => new Response('<html>', { status }));
    const [text] = said(error);
    expect(text).toMatch(reason);
    expect(text).not.toMatch(/running/);
  });

  describe('when the api is on another origin', () => {
    beforeEach(() => void vi.stubGlobal('location', new URL('https://shop.example/cart')));
    afterEach(() => void vi.unstubAllGlobals());
    const api = 'https://api.shop.example/ramp';
    const refused = new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
    const unknown = new RampError('ERR_REQUEST', 'Checkout not found.');

    it.each([
      ['the policy refuses', refused],
      ['the checkout is not the caller’s', unknown],
      [
        'something before the handler refuses',
        new RampError('ERR_SIGNER', 'x answered 401, not …'),
      ],
    ])('asks for credentials when %s', (_, error) => {
      expect(said(error, { api })).toEqual([expect.stringMatching(/credentials="include"/)]);
      expect(said(error, { api, credentials: 'same-origin' })[0]).toMatch(/credentials=/);
    });

    it.each<[string, RampError, object]>([
      ['they are sent', refused, { api, credentials: 'include' }],
      ['the api is on the same origin', refused, { api: '/api/ramp' }],
      ['there is no api', refused, {}],
      ['the error has another cause', new RampError('ERR_NETWORK', 'x'), { api }],
      ['the origin is refused', new RampError('ERR_REQUEST', 'This origin may not …'), { api }],
    ])('says nothing of credentials when %s', (_, error, settings) => {
      expect(said(error, settings)[0]).not.toMatch(/credentials/);
    });
  });

  it('adds nothing where the message says it all', () => {
    const error = new RampError('ERR_CONFIG_INVALID', 'widgetUrl is missing.');
    expect(said(error)).toEqual(['[partner-ramp] ERR_CONFIG_INVALID: widgetUrl is missing.']);
  });
});
