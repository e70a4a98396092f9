import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { warnInDev } from '../../../src/client/dev/warnInDev.js';
import { createHttpSigner, RampError } from '../../../src/index.js';
import { memoryOrderStore } from '../../../src/server/index.js';
import { createTestHandler, origin } from '../../support/server/createTestHandler.js';

afterEach(() => vi.restoreAllMocks());

/** Returns the arguments of `console.warn` when `warnInDev` reports this error. */
function printed(error: RampError, settings = {}): readonly unknown[] {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  warnInDev(error, settings);
  return warn.mock.calls[0] ?? [];
}

/** Returns the error with which the signer of `createHttpSigner` rejects if its `fetch` is `answer`. */
const failure = (answer: typeof fetch): Promise<RampError> =>
  createHttpSigner({ url: 'https://shop.example/api/ramp', fetch: answer })(
    { widget: 'on-ramp', params: {} },
    { signal: new AbortController().signal },
  ).then(
    () => Promise.reject(new Error('The call did not reject.')),
    (error) => error,
  );

describe('warnInDev', () => {
  it('suggests checking the backend, its handler and the proxy after a response of another server', async () => {
    const error = await failure(async () => new Response('<html>', { status: 404 }));
    expect(printed(error)).toEqual([
      expect.stringMatching(/ERR_SIGNER: .*404.*running.*handler.*proxy/),
    ]);
  });

  it('suggests checking the backend and allowedOrigins after a network error, with the cause', async () => {
    const cause = new TypeError('Failed to fetch');
    const error = await failure(() => Promise.reject(cause));
    expect(printed(error)).toEqual([expect.stringMatching(/running.*allowedOrigins/), cause]);
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
      { store: { ...memoryOrderStore(), saveCheckout: () => Promise.reject(new Error('x')) } },
    ],
  ])('refers to the log of the backend after an error in %s', async (_, options) => {
    const handler = createTestHandler(options);
    const error = await failure((url, { body, headers = {} } = {}) => {
      const all = { ...Object.fromEntries(new Headers(headers)), origin };
      return handler(
        new Request(url as string, { method: 'POST', body: body ?? '', headers: all }),
      );
    });
    expect(printed(error)).toEqual([expect.stringMatching(/createRamp.*onError/)]);
  });

  it.each([
    [401, /before the ramp handler.*session.*CSRF token/],
    [403, /before the ramp handler.*session.*CSRF token/],
    [429, /rate limit before the ramp handler.*Raise it/],
  ])('suggests middleware in front of the handler after status %i', async (status, reason) => {
    const error = await failure(async () => new Response('<html>', { status }));
    const [text] = printed(error);
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
      ['nobody is signed in', new RampError('ERR_SIGNED_OUT', 'Sign in to buy.')],
      [
        'something before the handler refuses',
        new RampError('ERR_SIGNER', 'x returned 401, not …'),
      ],
    ])('suggests credentials when %s', (_, error) => {
      expect(printed(error, { api })).toEqual([expect.stringMatching(/credentials="include"/)]);
      expect(printed(error, { api, credentials: 'same-origin' })[0]).toMatch(/credentials=/);
    });

    it.each<[string, RampError, object]>([
      ['they are sent', refused, { api, credentials: 'include' }],
      ['the api is on the same origin', refused, { api: '/api/ramp' }],
      ['api is absent', refused, {}],
      ['the error has another cause', new RampError('ERR_NETWORK', 'x'), { api }],
      ['the origin is refused', new RampError('ERR_REQUEST', 'This origin may not …'), { api }],
    ])('does not suggest credentials when %s', (_, error, settings) => {
      expect(printed(error, settings)[0]).not.toMatch(/credentials/);
    });
  });

  it('adds the URL of the documentation of the code', () => {
    const error = new RampError('ERR_CONFIG_INVALID', 'widgetUrl is missing.');
    expect(printed(error)).toEqual([
      '[partner-ramp] ERR_CONFIG_INVALID: widgetUrl is missing. https://github.com/partner-ramp/react/blob/HEAD/docs/errors.md#err_config_invalid',
    ]);
  });
});
