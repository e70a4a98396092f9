import { createPrivateKey, createPublicKey, KeyObject } from 'node:crypto';
import { createConfigError } from '../../protocol/errors/createConfigError.js';
import type { RampError } from '../../protocol/errors/RampError.js';

/** A key as PEM text (PKCS#8, PKCS#1 or SPKI) or as a `KeyObject`. */
export type RsaKey = string | KeyObject;

const MIN_BITS = 2048;

/**
 * Reads a private RSA key of at least 2048 bits, PKCS#8 or PKCS#1.
 *
 * @throws RampError `ERR_CONFIG_INVALID` with what is wrong and how to fix it; never with a part of the key.
 */
export function parseRsaPrivateKey(key: RsaKey | undefined, what: string): KeyObject {
  if (typeof key === 'string' && /ENCRYPTED/.test(key))
    throw createConfigError(
      what,
      'is encrypted: give it decrypted, or as a KeyObject that you made of it.',
    );
  if (typeof key === 'string' && /PUBLIC KEY|CERTIFICATE/.test(key))
    throw createKindError(what, 'public');
  return assertKey(readKey(key, what, createPrivateKey), 'private', what);
}

/**
 * Reads a public RSA key of at least 2048 bits. A private key is refused although its public key could be
 * derived: code that verifies must not hold it.
 *
 * @throws RampError `ERR_CONFIG_INVALID` with what is wrong and how to fix it; never with a part of the key.
 */
export function parseRsaPublicKey(key: RsaKey, what: string): KeyObject {
  if (typeof key === 'string' && /PRIVATE KEY/.test(key)) throw createKindError(what, 'private');
  return assertKey(readKey(key, what, createPublicKey), 'public', what);
}

function readKey(
  key: RsaKey | undefined,
  what: string,
  read: (pem: string) => KeyObject,
): KeyObject {
  if (key instanceof KeyObject) return key;
  if (typeof key !== 'string' || key.trim() === '')
    throw createConfigError(what, 'is missing. Is the environment variable set that holds it?');
  try {
    return read(key);
  } catch {
    // The cause may quote the key.
    throw createConfigError(what, `cannot be read: ${describePemIssue(key)}`);
  }
}

/** Describes what is wrong with unreadable PEM text, and how to fix it. */
function describePemIssue(pem: string): string {
  if (pem.includes('\\n'))
    return "its line breaks are the two characters \\n. Put the value between double quotes in the .env file, or replace them: key.replaceAll('\\\\n', '\\n').";
  if (!/-----BEGIN [A-Z0-9 ]+-----/.test(pem))
    return 'it has no BEGIN line. Give the whole PEM text, from the BEGIN line to the END line.';
  if (!/-----END [A-Z0-9 ]+-----/.test(pem))
    return 'its END line is missing. Give the whole PEM text; in a .env file, put it between double quotes, or only its first line is read.';
  if (!/-----\s*[\r\n]/.test(pem.trim()))
    return 'its line breaks are missing. Give the PEM text with its line breaks; in a .env file, put it between double quotes.';
  return 'a part of it is missing or changed. Copy the whole PEM text again, from the BEGIN line to the END line.';
}

function assertKey(key: KeyObject, type: 'private' | 'public', what: string): KeyObject {
  if (key.type === 'secret')
    throw createConfigError(what, `is a secret key: give the ${type} one.`);
  if (key.type !== type) throw createKindError(what, key.type);
  if (key.asymmetricKeyType !== 'rsa') throw createConfigError(what, 'is no RSA key.');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_BITS) throw createConfigError(what, `has ${bits} bits: the least is ${MIN_BITS}.`);
  return key;
}

function createKindError(what: string, given: 'private' | 'public'): RampError {
  const wanted = given === 'private' ? 'public' : 'private';
  return createConfigError(what, `is a ${given} key: give the ${wanted} one.`);
}
