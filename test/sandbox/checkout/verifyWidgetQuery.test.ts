import { describe, expect, it } from 'vitest';
import { verifyWidgetQuery } from '../../../src/sandbox/checkout/verifyWidgetQuery.js';
import {
  nowSeconds,
  partnerId,
  secretKey,
  signQuery,
  wallet,
} from '../../support/sandbox/signQuery.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const service = { partnerId, secretKey, nowSeconds, toleranceSeconds: 300 };
const verify = (query: string) => verifyWidgetQuery(query, service);
const text = (seconds = nowSeconds, walletAddress = wallet) =>
  `nonce=931496&partnerId=${partnerId}&timestamp=${seconds}&walletAddress=${walletAddress}`;

describe('verifyWidgetQuery with a signed URL', () => {
  it('accepts it and returns decoded parameters', () => {
    const result = verify(`${signQuery(text())}&amount=99.50&fiatCurrency=USD%2CEUR&language=`);
    expect(result).toMatchObject({ ok: true, widget: 'on-ramp', tier: 'premium' });
    expect(result.ok && result.params).toMatchObject({ amount: '99.50', fiatCurrency: 'USD,EUR' });
    expect(result.ok && 'language' in result.params).toBe(false);
  });

  it.each(vectors.widget.map((vector, at) => ({ ...vector, at })))(
    'accepts vector $at with the same signed text',
    ({ widget, secretKey, params, unsignedParams, canonical, encodedSignature }) => {
      const sent = Object.entries({ ...unsignedParams, ...params })
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
      const { partnerId, timestamp } = params as Record<string, string>;
      const result = verifyWidgetQuery([...sent, `signature=${encodedSignature}`].join('&'), {
        partnerId: partnerId as string,
        secretKey,
        nowSeconds: Number(timestamp),
        toleranceSeconds: 0,
      });
      expect(result).toMatchObject({ ok: true, widget });
      const signed = result.ok ? result.signed : [];
      expect(signed.map((item) => item.join('=')).join('&')).toBe(canonical);
    },
  );

  it('accepts parameters in any order, and ignores unknown names', () => {
    const [nonce, id, time, to] = text().split('&');
    expect(verify(signQuery(text(), [to, time, 'theme=dark', id, nonce].join('&'))).ok).toBe(true);
  });

  it('accepts a timestamp within the tolerance in both directions, to the second', () => {
    const at = (seconds: number) => verify(signQuery(text(seconds)));
    expect(at(nowSeconds - 300).ok).toBe(true);
    expect(at(nowSeconds + 300).ok).toBe(true);
    expect(at(nowSeconds - 301)).toMatchObject({ code: 10003, reason: 'timestamp-expired' });
    expect(at(nowSeconds + 301)).toMatchObject({ code: 10003, reason: 'timestamp-in-future' });
    expect(at(nowSeconds - 412)).toMatchObject({
      message: expect.stringContaining('412 seconds ago'),
    });
  });

  it('refuses a change of any character of any value', () => {
    for (const [name, value] of new URLSearchParams(text()))
      for (let at = 0; at < value.length; at++) {
        const other = value[at] === '1' ? '2' : '1';
        const changed = `${value.slice(0, at)}${other}${value.slice(at + 1)}`;
        const query = signQuery(text(), text().replace(`${name}=${value}`, `${name}=${changed}`));
        const result = verify(query);
        expect([name, at, result.ok]).toEqual([name, at, false]);
        expect(result).toMatchObject({ code: 10003 });
      }
  });

  it('refuses the signature of another key, and a change of any of its characters', () => {
    const foreign = verify(signQuery(text(), text(), 'another'));
    expect(foreign).toMatchObject({ ok: false, code: 10003, reason: 'signature', payload: text() });
    const good = signQuery(text());
    const start = good.indexOf('&signature=') + '&signature='.length;
    for (let at = start; at < good.length - 3; at++) {
      const bad = `${good.slice(0, at)}${good[at] === 'A' ? 'B' : 'A'}${good.slice(at + 1)}`;
      expect([at, verify(bad).ok]).toEqual([at, false]);
    }
  });

  it('refuses another base64 spelling of the same bytes', () => {
    expect(verify(signQuery(text()).replace(/%3D$/, '')).ok).toBe(false);
    expect(verify(`${signQuery(text())}%0A`).ok).toBe(false);
  });

  it.each(['partnerId', 'timestamp', 'nonce', 'signature'])('refuses a URL without %s', (name) => {
    const query = signQuery(text()).replace(new RegExp(`&?${name}=[^&]*`), '');
    expect(verify(query)).toMatchObject({ ok: false, code: 10003, reason: 'incomplete' });
    expect(verify(query)).toMatchObject({ message: expect.stringContaining(name) });
  });

  it('refuses an unknown partner ID', () => {
    const query = signQuery(text().replace(partnerId, 'AAAA50fei5oNM2ig'));
    expect(verify(query)).toMatchObject({ code: 10003, reason: 'unknown-partner' });
  });

  it('returns code 10002 for correctly signed invalid values', () => {
    const refusal = (query: string) => {
      const result = verify(signQuery(query));
      return result.ok ? [] : [result.code, ...(result.issues ?? []).map(({ param }) => param)];
    };
    expect(refusal(text().replace(/&walletAddress.*/, ''))).toEqual([10002, 'walletAddress']);
    expect(refusal(text().replace('931496', '9x'))).toEqual([10002, 'nonce']);
    expect(refusal(text(nowSeconds * 1000))).toEqual([10002, 'timestamp']);
    expect(refusal(`${text()}&walletAddressLocked=yes`)).toEqual([10002, 'walletAddressLocked']);
  });

  it('includes extraSignedParams in the signed text', () => {
    const query = signQuery(`${text()}&zone=7`);
    expect(verify(query).ok).toBe(false);
    const extra = { ...service, extraSignedParams: ['zone'] };
    expect(verifyWidgetQuery(query, extra).ok).toBe(true);
    expect(verifyWidgetQuery(query.replace('zone=7', 'zone=8'), extra).ok).toBe(false);
  });
});

describe('verifyWidgetQuery with ext', () => {
  it.each([
    ['plain', 'A-1._z'],
    ['with separators', 'a&b=c%d+e#f?g'],
    ['with letters beyond ASCII', 'größe 世界 🎈'],
    ['with characters that encodeURIComponent does not encode', "(it's)*!~"],
  ])('signs the encoded text: %s', (_, ext) => {
    const encoded = encodeURIComponent(ext);
    expect(verify(signQuery(`ext=${encoded}&${text()}`))).toMatchObject({
      ok: true,
      params: { ext },
    });
    if (encoded !== ext) {
      const raw = signQuery(`ext=${ext}&${text()}`, `ext=${encoded}&${text()}`);
      expect(verify(raw)).toMatchObject({ code: 10003, reason: 'signature' });
    }
  });

  it('accepts a space written as + in the URL', () => {
    const query = signQuery(`ext=a%20b&${text()}`, `ext=a+b&${text()}`);
    expect(verify(query)).toMatchObject({ ok: true, params: { ext: 'a b' } });
  });
});

describe('verifyWidgetQuery with an ambiguous URL', () => {
  it.each([
    ['a name twice', `${signQuery(text())}&walletAddress=0xEVIL`],
    ['a name twice, once encoded', `${signQuery(text())}&wallet%41ddress=0xEVIL`],
    ['a name twice, once empty', 'amount=&amount=5'],
    ['malformed percent-encoding', 'amount=%zz'],
    ['a percent sign at the end', 'email=a%'],
    ['bytes that are not UTF-8', 'email=%ff'],
  ])('refuses %s', (_, query) => {
    expect(verify(query)).toMatchObject({ ok: false, code: 10002, reason: 'query' });
  });

  it('does not pollute prototypes', () => {
    const result = verify('__proto__=x&constructor=y&amount=5');
    expect(result.ok && Object.keys(result.params)).toEqual(['__proto__', 'constructor', 'amount']);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('verifyWidgetQuery with a Basic URL', () => {
  it('accepts it without parameters, and with another partner ID', () => {
    expect(verify('')).toMatchObject({ ok: true, tier: 'basic', signed: [] });
    expect(verify(`?partnerId=public&walletAddress=${wallet}`)).toMatchObject({
      ok: true,
      tier: 'basic',
    });
  });

  it.each([
    ['a locked wallet', `walletAddress=${wallet}&walletAddressLocked=1`],
    ['a hidden wallet', `walletAddress=${wallet}&walletAddressHidden=1`],
    ['NFT checkout', 'contractAddress=0x30'],
  ])('refuses %s', (_, query) => {
    expect(verify(query)).toMatchObject({ code: 10002, reason: 'premium-only' });
  });

  it('refuses a Premium URL whose signature was removed', () => {
    const locked = `${text()}&walletAddressLocked=1`;
    expect(verify(locked)).toMatchObject({ code: 10003, reason: 'incomplete' });
    const bare = `partnerId=${partnerId}&walletAddress=${wallet}`;
    expect(verify(bare)).toMatchObject({ code: 10003, reason: 'incomplete' });
    const stripped = `walletAddress=${wallet}&walletAddressLocked=1`;
    expect(verify(stripped)).toMatchObject({ code: 10002, reason: 'premium-only' });
  });

  it('validates formats', () => {
    expect(verify('amount=1.999&fiatCurrency=usd&language=en')).toMatchObject({
      code: 10002,
      reason: 'params',
      issues: [{ param: 'fiatCurrency' }, { param: 'amount' }],
    });
  });
});

describe('verifyWidgetQuery with an NFT URL', () => {
  const nft = `amount=39.5&contractAddress=0x30&cryptoCurrency=ETH&mintQuantity=1&nftNetwork=polygon&nonce=1&partnerId=${partnerId}&timestamp=${nowSeconds}&transferWalletAddress=0xc2&type=MINT&walletAddress=0xc8`;

  it('refuses a changed price or currency', () => {
    expect(verify(signQuery(nft))).toMatchObject({ ok: true, widget: 'nft' });
    for (const cheaper of ['amount=0.5', 'cryptoCurrency=TRX']) {
      const name = cheaper.replace(/=.*/, '');
      const query = signQuery(nft).replace(new RegExp(`${name}=[^&]*`), cheaper);
      expect(verify(query)).toMatchObject({ code: 10003, reason: 'signature' });
    }
  });

  it('refuses to change between the NFT widget and the on-ramp widget', () => {
    expect(verify(signQuery(text(), `${text()}&type=MINT`))).toMatchObject({ code: 10003 });
    expect(verify(signQuery(nft).replace('type=MINT', 'type='))).toMatchObject({ code: 10003 });
  });
});

it('verifyWidgetQuery returns neither the secret nor the expected signature', () => {
  const query = `${text()}&signature=AAAA`;
  const expected = signQuery(text()).replace(/.*signature=/, '');
  const result = JSON.stringify(verify(query));
  expect(result).not.toContain(secretKey);
  expect(result).not.toContain(decodeURIComponent(expected));
});
