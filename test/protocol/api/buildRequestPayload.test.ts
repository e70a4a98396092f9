import { describe, expect, it } from 'vitest';
import { buildRequestPayload, buildWidgetPayload } from '../../../src/protocol/index.js';

const url = 'https://api.example:8443/open/order?size=2&empty=&Page=1';
const payload = (headers: Record<string, string>, given = url) =>
  buildRequestPayload({ method: 'get', url: given, headers });

describe('buildRequestPayload', () => {
  it('joins the method, the address, and the signed headers and query sorted by code unit', () => {
    const headers = {
      'X-Fp-Nonce': '1',
      'x-fp-b': '',
      'X-Fp-Signature': 's',
      Accept: '*/*',
      'Not-X-Fp-A': '2',
    };
    expect(payload(headers)).toBe('GETapi.example:8443/open/order?Page=1&size=2&x-fp-nonce=1');
  });

  it.each([
    ['in two headers', { 'X-Fp-A': '1', 'x-fp-a': '2' }, url],
    ['in a header and the query', { 'X-Fp-A': '1' }, 'https://api.example/?x-fp-a=1'],
  ])('refuses a name that appears twice: %s', (_, headers, given) => {
    expect(() => payload(headers, given)).toThrow(
      expect.objectContaining({
        code: 'ERR_PARAMS_INVALID',
        issues: [{ param: 'x-fp-a', message: 'appears twice' }],
      }),
    );
  });

  it.each(['é', '\u{1f600}', '\uffff'])('refuses the name %s, outside ASCII', (name) => {
    const query = `?a=1&${encodeURIComponent(name)}=2`;
    expect(() => payload({}, `https://api.example/${query}`)).toThrow(
      expect.objectContaining({
        code: 'ERR_PARAMS_INVALID',
        issues: [{ param: name, message: expect.stringContaining('outside ASCII') }],
      }),
    );
    expect(payload({}, `https://api.example/?a=${encodeURIComponent(name)}`)).toBe(
      `GETapi.example/?a=${name}`,
    );
  });

  it('refuses a URL that is not absolute', () => {
    expect(() => payload({}, '/open/api')).toThrow(
      expect.objectContaining({
        code: 'ERR_PARAMS_INVALID',
        message: 'The request was refused: url must be an absolute URL.',
        issues: [{ param: 'url', message: 'must be an absolute URL' }],
      }),
    );
  });

  it('drops a parameter with an empty name', () => {
    expect(payload({}, 'https://api.example/?=1&a=2')).toBe('GETapi.example/?a=2');
  });
});

describe('buildWidgetPayload', () => {
  it('drops names that are neither signed parameters of the widget nor extra signed names', () => {
    const params = { partnerId: 'p', theme: 'dark', 'No Name': '1', toString: '2' };
    expect(buildWidgetPayload('on-ramp', params)).toBe('partnerId=p');
    expect(buildWidgetPayload('on-ramp', params, ['theme'])).toBe('partnerId=p&theme=dark');
  });

  it.each(['onramp', 'toString'])('refuses the widget %s', (widget) => {
    expect(() => buildWidgetPayload(widget as never, {})).toThrow(
      expect.objectContaining({
        code: 'ERR_PARAMS_INVALID',
        issues: [{ param: 'widget', message: "must be 'on-ramp' or 'nft'" }],
      }),
    );
  });
});
