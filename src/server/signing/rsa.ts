import { createPrivateKey, createPublicKey, KeyObject, sign, verify } from 'node:crypto';
import type { RampError } from '../../protocol/errors/RampError.js';
import { createConfigError, createParamsError } from '../../protocol/errors/RampError.js';
import { checkText, isQuoted, QUOTED } from '../internal/options.js';

/** A key as PEM text (PKCS#8, PKCS#1 or SPKI) or as a `KeyObject`. */
export type RsaKey = string | KeyObject;

const MIN_BITS = 2048;

/**
 * Signs a text with RSASSA-PKCS1-v1_5 and SHA-256 (service interface, section 5.1), and returns the signature as
 * standard base64.
 *
 * @param privateKey - PEM text is parsed at each call, so pass a `KeyObject` if you sign often.
 * @throws RampError `ERR_CONFIG_INVALID` unless the key is a private RSA key of 2048 bits or more, `ERR_PARAMS_INVALID`
 * unless `text` is a string.
 * @example
 * const signature = signRsaSha256(buildRequestPayload({ method: 'GET', url, headers }), privateKey);
 */
export function signRsaSha256(text: string, privateKey: RsaKey): string {
  const key = parseRsaPrivateKey(privateKey, 'privateKey');
  assertText(text);
  return sign('sha256', Buffer.from(text, 'utf8'), key).toString('base64');
}

/**
 * Returns whether `signature` is valid for `text` (service interface, section 5.2). A signature that is not
 * strict standard base64 is not valid.
 *
 * @throws RampError `ERR_CONFIG_INVALID` unless the key is a public RSA key of 2048 bits or more, `ERR_PARAMS_INVALID`
 * unless `text` is a string.
 * @example
 * verifyRsaSha256(buildRequestPayload({ method: 'POST', url, headers }), signature, webhookPublicKey);
 */
export function verifyRsaSha256(text: string, signature: string, publicKey: RsaKey): boolean {
  const key = parseRsaPublicKey(publicKey, 'publicKey');
  assertText(text);
  if (typeof signature !== 'string') return false;
  const bytes = Buffer.from(signature, 'base64');
  // Refuse other encodings of the same bytes. `Buffer.from` also accepts the URL-safe alphabet, line breaks and stray
  // trailing bits.
  if (bytes.toString('base64') !== signature) return false;
  return verify('sha256', Buffer.from(text, 'utf8'), key, bytes);
}

function assertText(text: unknown): void {
  if (typeof text !== 'string')
    throw createParamsError(
      [{ param: 'text', message: 'must be a string' }],
      'The signed text was',
    );
}

/**
 * Parses a private RSA key of at least 2048 bits, PKCS#8 or PKCS#1.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for any other key. The message never contains any part of the key.
 */
export function parseRsaPrivateKey(key: unknown, what: string): KeyObject {
  if (typeof key === 'string' && /ENCRYPTED/.test(key))
    throw createConfigError(
      what,
      'is encrypted: pass the decrypted key, or a KeyObject that you created from it.',
    );
  if (typeof key === 'string' && /PUBLIC KEY|CERTIFICATE/.test(key))
    throw createKindError(what, 'public');
  return assertKey(readKey(key, what, createPrivateKey), 'private', what);
}

/**
 * Parses a public RSA key of at least 2048 bits. A private key is refused although a public key could be derived from
 * it, because code that only verifies must not hold a private key.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for any other key. The message never contains any part of the key.
 */
export function parseRsaPublicKey(key: unknown, what: string): KeyObject {
  if (typeof key === 'string' && /PRIVATE KEY/.test(key)) throw createKindError(what, 'private');
  return assertKey(readKey(key, what, createPublicKey), 'public', what);
}

function readKey(key: unknown, what: string, read: (pem: string) => KeyObject): KeyObject {
  if (key instanceof KeyObject) return key;
  if (typeof key !== 'string' || !isQuoted(key)) checkText(what, key);
  if (typeof key !== 'string')
    throw createConfigError(what, 'must be PEM text or a KeyObject of node:crypto.');
  try {
    return read(key);
  } catch {
    // Leave out the cause, because it may quote the key.
    throw createConfigError(
      what,
      `cannot be read: ${findWrongLabel(key, read) ?? describePemIssue(key)}`,
    );
  }
}

/**
 * Describes the mistake if the BEGIN and END lines name the wrong format: PKCS #1 (`RSA … KEY`) for a PKCS #8 or SPKI
 * key, or the reverse.
 */
function findWrongLabel(pem: string, read: (pem: string) => KeyObject): string | undefined {
  const [, rsa = '', type] = /-----BEGIN (RSA )?(PUBLIC|PRIVATE) KEY-----/.exec(pem) ?? [];
  if (!type) return undefined;
  const [given, right] = [`${rsa}${type} KEY`, `${rsa ? '' : 'RSA '}${type} KEY`];
  try {
    read(pem.replaceAll(given, right));
  } catch {
    return undefined;
  }
  return `its first and last line name another format. Write BEGIN ${right} and END ${right}.`;
}

function describePemIssue(pem: string): string {
  if (isQuoted(pem))
    return pem.includes('\\n')
      ? `it ${QUOTED} Its line breaks are the two characters \\n: replace them, key.replaceAll('\\\\n', '\\n').`
      : `it ${QUOTED}`;
  if (pem.includes('\\n'))
    return "its line breaks are the two characters \\n. Put the value between double quotes in the .env file, or replace them: key.replaceAll('\\\\n', '\\n').";
  if (!/-----BEGIN [A-Z0-9 ]+-----/.test(pem))
    return 'it has no BEGIN line. Pass the whole PEM text, from the BEGIN line to the END line.';
  if (!/-----END [A-Z0-9 ]+-----/.test(pem))
    return 'its END line is missing. Pass the whole PEM text; in a .env file, put it between double quotes, or only its first line is read.';
  if (!/-----\s*[\r\n]/.test(pem.trim()))
    return 'its line breaks are missing. Pass the PEM text with its line breaks; in a .env file, put it between double quotes.';
  return 'a part of it is missing or changed. Copy the whole PEM text again, from the BEGIN line to the END line.';
}

function assertKey(key: KeyObject, type: 'private' | 'public', what: string): KeyObject {
  if (key.type === 'secret')
    throw createConfigError(what, `is a secret key: pass the ${type} key.`);
  if (key.type !== type) throw createKindError(what, key.type);
  if (key.asymmetricKeyType !== 'rsa') throw createConfigError(what, 'is not an RSA key.');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_BITS)
    throw createConfigError(what, `has ${bits} bits: it needs at least ${MIN_BITS}.`);
  return key;
}

function createKindError(what: string, given: 'private' | 'public'): RampError {
  const wanted = given === 'private' ? 'public' : 'private';
  return createConfigError(what, `is a ${given} key: pass the ${wanted} key.`);
}
