import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  parseRsaPrivateKey,
  parseRsaPublicKey,
  type RsaKey,
} from '../../../src/server/signing/rsa.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

const { apiPrivateKey, webhookPublicKey } = vectors.keys;
const kinds = [
  ['privateKey', apiPrivateKey, parseRsaPrivateKey],
  ['publicKey', webhookPublicKey, parseRsaPublicKey],
] as const;

describe.each(kinds)('%s', (name, pem, read) => {
  const message = (key: RsaKey): string => {
    try {
      read(key, name);
    } catch (error) {
      expect(error).toMatchObject({ name: 'RampError', code: 'ERR_CONFIG_INVALID' });
      const { message } = error as Error;
      for (const line of pem.split('\n').filter((line) => line.length > 20 && !/--/.test(line)))
        expect(message).not.toContain(line.slice(0, 20));
      expect(message).toMatch(/^(private|public)Key .*[.?]$/);
      expect(message).not.toContain('?.');
      return message;
    }
    throw new Error('The key was accepted.');
  };
  const [begin = '', ...rest] = pem.trim().split('\n');

  it.each<[string, string, RegExp]>([
    [
      'escaped line breaks',
      pem.replaceAll('\n', '\\n'),
      /two characters \\n.*replaceAll\('\\\\n', '\\n'\).*/,
    ],
    ['a truncated value', pem.slice(0, 200), /END line is missing.*\.env/],
    ['only the first line', begin, /END line is missing.*double quotes/],
    ['no line breaks', pem.replaceAll('\n', ' '), /line breaks are missing.*\.env/],
    ['no BEGIN line', rest.slice(0, -1).join('\n'), /no BEGIN line/],
    ['a missing line', [begin, ...rest.slice(2)].join('\n'), /missing or changed/],
    ['quotation marks', `"${pem}"`, /cannot be read: it has quotation marks.*docker.*Remove them/],
    [
      'quotation marks and escaped line breaks',
      `'${pem.replaceAll('\n', '\\n')}'`,
      /quotation marks.*two characters \\n: replace them, key\.replaceAll\('\\\\n', '\\n'\)/,
    ],
    ['a blank value', ' ', /is missing\. Is its environment variable set\?$/],
  ])('with %s is refused with a message that has the fix', (_, key, words) => {
    expect(message(key)).toMatch(words);
  });

  it('of the other kind is refused as such, even with escaped line breaks', () => {
    const other = name === 'privateKey' ? webhookPublicKey : apiPrivateKey;
    const words =
      name === 'privateKey' ? /public key: pass the private/ : /private key: pass the public/;
    expect(message(other)).toMatch(words);
    expect(message(other.replaceAll('\n', '\\n'))).toMatch(words);
  });

  it('with the label of the other format is refused with the right label', () => {
    // OpenSSL reads PKCS #8 and PKCS #1 with the other label in the two other combinations.
    const isPrivate = name === 'privateKey';
    const text = isPrivate ? createPrivateKey(pem).export({ type: 'pkcs1', format: 'pem' }) : pem;
    const right = isPrivate ? 'RSA PRIVATE KEY' : 'PUBLIC KEY';
    const wrong = isPrivate ? 'PRIVATE KEY' : 'RSA PUBLIC KEY';
    expect(message(`${text}`.replaceAll(right, wrong))).toContain(
      `cannot be read: its first and last line name another format. Write BEGIN ${right} and END ${right}.`,
    );
  });

  it('is accepted with CRLF line breaks and white space around it', () => {
    expect(read(` \n${pem.trim().replaceAll('\n', '\r\n')}\r\n`, name).asymmetricKeyType).toBe(
      'rsa',
    );
  });
});
