import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildWidgetUrl, parseWidgetUrl, type RampError } from '../../../src/protocol/index.js';
import { createWidgetSigner } from '../../../src/server/index.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const options = { partnerId: 'p1', secretKey: 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D' };
const signer = createWidgetSigner(options);
const walletAddress = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

const caught = (run: () => unknown): RampError => {
  try {
    run();
  } catch (error) {
    return error as RampError;
  }
  throw new Error('No error was thrown.');
};

describe('createWidgetSigner', () => {
  it.each([
    ['an empty partner ID', { partnerId: '' }, /^partnerId of createWidgetSigner is missing/],
    [
      'a missing partner ID',
      { partnerId: undefined },
      /^partnerId of createWidgetSigner is missing/,
    ],
    [
      'a partner ID with a separator',
      { partnerId: 'p&x=1' },
      /^partnerId of createWidgetSigner must be letters/,
    ],
    [
      'a number as partner ID',
      { partnerId: 5 },
      /^partnerId of createWidgetSigner must be letters.*onboarding/,
    ],
    ['an empty secret', { secretKey: '' }, /^secretKey of createWidgetSigner is missing/],
    [
      'a secret with white space around it',
      { secretKey: 'abc\n' },
      /SecretKey.*without white space/,
    ],
    [
      'a number as secret',
      { secretKey: 5 },
      /^secretKey of createWidgetSigner must be the SecretKey/,
    ],
  ])('refuses %s', (_, wrong, message) => {
    const error = caught(() => createWidgetSigner({ ...options, ...wrong } as never));
    expect(error.code).toBe('ERR_CONFIG_INVALID');
    expect(error.message).toMatch(message);
  });

  it.each(['partnerId', 'secretKey'])(
    'mentions the environment variable of a missing %s',
    (option) => {
      for (const nothing of ['', undefined]) {
        const { message } = caught(() => createWidgetSigner({ ...options, [option]: nothing }));
        expect(message).toMatch(
          `${option} of createWidgetSigner is missing. Is its environment variable set`,
        );
      }
    },
  );

  it('refuses a clock in seconds and names the expected unit', () => {
    const seconds = createWidgetSigner(options, testRuntime({ now: () => 1_700_000_000 }));
    const error = caught(() => seconds.sign('on-ramp', { walletAddress }));
    expect(error.code).toBe('ERR_CONFIG_INVALID');
    expect(error.message).toBe('Date.now() must return milliseconds since 1970.');
  });

  it('creates a timestamp and a nonce of six digits', () => {
    const { params } = signer.sign('on-ramp', { walletAddress });
    expect(Math.abs(Number(params.timestamp) - Date.now() / 1000)).toBeLessThan(5);
    expect(params.nonce).toMatch(/^[1-9]\d{5}$/);
  });

  it('ignores a nonce among its options', () => {
    const nonces = [1, 2].map(
      () =>
        createWidgetSigner({ ...options, nonce: () => 123_456 } as never).sign('on-ramp', {
          walletAddress,
        }).params.nonce,
    );
    expect(nonces).not.toEqual(['123456', '123456']);
  });

  it('creates nonces over the whole range', () => {
    const nonces = new Set<string | undefined>();
    for (let i = 0; i < 2000; i++)
      nonces.add(signer.sign('on-ramp', { walletAddress }).params.nonce);
    expect(nonces.size).toBeGreaterThan(1950);
  });

  it('sends amountFixed without amount if both are given', () => {
    const { params } = signer.sign('on-ramp', { walletAddress, amount: '5', amountFixed: '10' });
    expect(params.amountFixed).toBe('10');
    expect(params).not.toHaveProperty('amount');
  });

  it('refuses an on-ramp checkout without a wallet', () => {
    expect(caught(() => signer.sign('on-ramp', {} as never)).issues).toEqual([
      { param: 'walletAddress', message: 'is required' },
    ]);
  });

  it('refuses every signed value that could be read as other parameters', () => {
    const hostile = fc
      .tuple(
        fc.stringMatching(/^[A-Za-z0-9]{0,8}$/),
        fc.constantFrom(...'&=%+#? \t\n\r\0é\u007f\u200b\ud800'),
        fc.stringMatching(/^[A-Za-z0-9]{0,8}$/),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, (value) => {
        const error = caught(() => signer.sign('on-ramp', { walletAddress: value }));
        expect(error.code).toBe('ERR_PARAMS_INVALID');
        expect(error.issues?.[0]?.param).toBe('walletAddress');
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts any ext and signs it in the encoding of the URL', () => {
    const ext = 'order #10 / café & söhne=1?';
    const { params, payload } = signer.sign('on-ramp', { walletAddress, ext });
    expect(payload).toContain(`ext=${encodeURIComponent(ext)}&`);
    const url = buildWidgetUrl('https://pay.example', params);
    expect(url).toContain(`ext=${encodeURIComponent(ext)}&`);
    expect(parseWidgetUrl(url).params.ext).toBe(ext);
  });

  it('refuses half a surrogate pair in ext', () => {
    const error = caught(() => signer.sign('on-ramp', { walletAddress, ext: 'a\ud800b' }));
    expect(error.code).toBe('ERR_PARAMS_INVALID');
  });

  it('takes null as no extras', () => {
    const { params } = signer.sign('on-ramp', { walletAddress }, null as never);
    expect(params.walletAddress).toBe(walletAddress);
  });

  it('signs extraSignedParams, and sends extraParams unsigned', () => {
    const { params, payload } = signer.sign(
      'on-ramp',
      { walletAddress },
      { extraParams: { theme: 'dark mode' }, extraSignedParams: { tenant: 'eu1' } },
    );
    expect(params).toMatchObject({ theme: 'dark mode', tenant: 'eu1' });
    expect(payload).toContain('tenant=eu1');
    expect(payload).not.toContain('theme');
  });

  it.each([
    ['a name of the table', { amount: '5' }],
    ['a name of the other widget', { merchantOrderNo: '5' }],
    ['signature', { signature: 'x' }],
    ['a name with a separator', { 'a&b': '1' }],
    ['a name outside ASCII', { é: '1' }],
    ['__proto__', JSON.parse('{"__proto__":"x"}')],
    ['a value that is not text', { theme: 5 }],
  ])('refuses %s as an extra parameter, signed or not', (_, extra) => {
    for (const extras of [{ extraParams: extra }, { extraSignedParams: extra }]) {
      const error = caught(() => signer.sign('on-ramp', { walletAddress }, extras));
      expect(error.code).toBe('ERR_PARAMS_INVALID');
    }
  });

  it.each([
    ['timeout', { timeout: '1767226500' }, /timeout is unknown here.*extraSignedParams/],
    [
      'a Map',
      { extraSignedParams: new Map([['timeout', '1']]) },
      /extraSignedParams must be a plain/,
    ],
    ['text', { extraParams: 'theme=dark' }, /extraParams must be a plain object/],
  ])('refuses extras that it would ignore: %s', (_, extras, message) => {
    const error = caught(() => signer.sign('on-ramp', { walletAddress }, extras as never));
    expect([error.code, error.message]).toEqual([
      'ERR_PARAMS_INVALID',
      expect.stringMatching(message),
    ]);
  });

  it('refuses an extra signed value that could be read as two parameters', () => {
    const extras = { extraSignedParams: { tenant: 'eu1&walletAddress=0xEVIL' } };
    expect(caught(() => signer.sign('on-ramp', { walletAddress }, extras)).code).toBe(
      'ERR_PARAMS_INVALID',
    );
  });

  it('refuses a name that is passed both signed and unsigned', () => {
    const extras = { extraParams: { tenant: 'a' }, extraSignedParams: { tenant: 'b' } };
    expect(caught(() => signer.sign('on-ramp', { walletAddress }, extras)).issues).toHaveLength(1);
  });

  it('never has the secret in an error', () => {
    const error = caught(() => signer.sign('on-ramp', { walletAddress: 'a b' }));
    expect(JSON.stringify(signer) + String(error) + JSON.stringify(error)).not.toContain(
      options.secretKey,
    );
  });
});
