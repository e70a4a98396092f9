import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildWidgetUrl, parseServiceUrl, parseWidgetUrl } from '../../../src/protocol/index.js';

const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
};

describe('buildWidgetUrl', () => {
  it('adds /home and percent-encodes each value once', () => {
    expect(
      buildWidgetUrl('https://pay.example/', { email: 'ann+a@b.example', signature: 'a+/=' }),
    ).toBe('https://pay.example/home?email=ann%2Ba%40b.example&signature=a%2B%2F%3D');
  });

  it('omits empty values, and amount if amountFixed is set', () => {
    expect(
      buildWidgetUrl('https://pay.example', { email: '', amount: '5', amountFixed: '10' }),
    ).toBe('https://pay.example/home?amountFixed=10');
  });

  it('refuses half a surrogate pair, which no URL can carry', () => {
    const build = () => buildWidgetUrl('https://pay.example', { ext: 'a\ud800' });
    expect(codeOf(build)).toBe('ERR_PARAMS_INVALID');
  });

  it('refuses an address that already ends in /home', () => {
    expect(codeOf(() => buildWidgetUrl('https://pay.example/home/', {}))).toBe(
      'ERR_CONFIG_INVALID',
    );
  });

  it('drops an empty query or fragment of the address', () => {
    for (const end of ['?', '#', '/?', '/#'])
      expect(buildWidgetUrl(`https://pay.example${end}`, {})).toBe('https://pay.example/home');
  });

  it("keeps an NFT's amount, which is its signed price", () => {
    const url = buildWidgetUrl('https://pay.example', {
      contractAddress: 'c',
      amount: '1',
      amountFixed: '2',
    });
    expect(parseWidgetUrl(url).params.amount).toBe('1');
  });

  it('builds a URL without parameters', () => {
    expect(buildWidgetUrl('https://pay.example/v2', {})).toBe('https://pay.example/v2/home');
  });

  it('parses back to the same parameters for any text', () => {
    const names = fc.stringMatching(/^[A-Za-z]{1,12}$/).filter((name) => name !== 'amount');
    const values = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(fc.dictionary(names, values, { noNullPrototype: true }), (params) => {
        expect(parseWidgetUrl(buildWidgetUrl('https://pay.example', params)).params).toEqual(
          params,
        );
      }),
    );
  });
});

describe('parseWidgetUrl', () => {
  it.each([
    ['a name that appears twice', 'https://pay.example/home?amount=1&amount=2'],
    ['a name that appears twice, once encoded', 'https://pay.example/home?amount=1&%61mount=2'],
    ['malformed percent-encoding', 'https://pay.example/home?ext=%E0%A4'],
    ['another path', 'https://pay.example/hom?ext=1'],
    ['a path without an origin', 'home?ext=1'],
  ])('refuses %s', (_, url) => {
    expect(codeOf(() => parseWidgetUrl(url))).toBe('ERR_PARAMS_INVALID');
  });

  it('keeps a parameter named __proto__ as a value, not as a prototype', () => {
    const { params } = parseWidgetUrl('https://pay.example/home?__proto__=x');
    expect(Object.keys(params)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('parseServiceUrl', () => {
  it.each([
    'https://pay.example',
    'http://localhost:4010',
    'http://127.0.0.1:1',
    'http://[::1]:80/x',
  ])('accepts %s', (url) => expect(parseServiceUrl(url, 'widgetUrl')).toBe(url.replace(':80', '')));

  it.each([
    'http://pay.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:pass@pay.example',
    'https://pay.example?x=1',
    'https://pay.example#x',
    '//pay.example',
    '/home',
    '',
  ])('refuses %s', (url) =>
    expect(codeOf(() => parseServiceUrl(url, 'widgetUrl'))).toBe('ERR_CONFIG_INVALID'),
  );
});
