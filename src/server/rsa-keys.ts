import { createPrivateKey, createPublicKey, KeyObject } from 'node:crypto';
import { RampError } from '../protocol/ramp-error.js';

/** A key as PEM text (PKCS#8, PKCS#1 or SPKI) or ready-made. */
export type RsaKey = string | KeyObject;

const MIN_BITS = 2048;

/**
 * Reads a private RSA key of at least 2048 bits, PKCS#8 or PKCS#1.
 *
 * @throws RampError `ERR_CONFIG_INVALID` saying which: encrypted, public, not RSA, too short, no key.
 */
export function rsaPrivateKey(key: RsaKey | undefined, what: string): KeyObject {
  if (typeof key === 'string' && /ENCRYPTED/.test(key))
    refuse(what, 'is encrypted: give it decrypted, or as a KeyObject that you made of it');
  const read = readKey(key, what, createPrivateKey);
  return checked(read, 'private', what);
}

/**
 * Reads a public RSA key of at least 2048 bits. A private key is refused, although one could be
 * made of it: whoever verifies has no business with it.
 *
 * @throws RampError `ERR_CONFIG_INVALID` saying which: private, not RSA, too short, no key.
 */
export function rsaPublicKey(key: RsaKey, what: string): KeyObject {
  if (typeof key === 'string' && /PRIVATE KEY/.test(key))
    refuse(what, 'is a private key: give the public one');
  const read = readKey(key, what, createPublicKey);
  return checked(read, 'public', what);
}

function readKey(
  key: RsaKey | undefined,
  what: string,
  read: (pem: string) => KeyObject,
): KeyObject {
  if (key instanceof KeyObject) return key;
  if (typeof key !== 'string' || key.trim() === '')
    refuse(what, 'is missing: is the environment variable set that holds it?');
  try {
    return read(key);
  } catch {
    // The cause may quote the key.
    return refuse(
      what,
      /PUBLIC KEY/.test(key)
        ? 'is a public key: give the private one'
        : 'cannot be read: it must be the whole PEM text, with its BEGIN and END lines and its line breaks',
    );
  }
}

function checked(key: KeyObject, type: 'private' | 'public', what: string): KeyObject {
  if (key.type !== type) refuse(what, `is a ${key.type} key: give the ${type} one`);
  if (key.asymmetricKeyType !== 'rsa') refuse(what, 'is no RSA key');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_BITS) refuse(what, `has ${bits} bits: the least is ${MIN_BITS}`);
  return key;
}

function refuse(what: string, message: string): never {
  throw new RampError('ERR_CONFIG_INVALID', `${what} ${message}.`);
}
