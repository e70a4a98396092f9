import { sign, verify } from 'node:crypto';
import { parseRsaPrivateKey, parseRsaPublicKey, type RsaKey } from './rsaKeys.js';

/**
 * Signs a text with RSASSA-PKCS1-v1_5 and SHA-256 (docs/service-interface.md section 5.1), and returns the
 * signature as standard base64.
 *
 * @param privateKey - PEM text is parsed at each call, so pass a `KeyObject` to sign often.
 * @throws RampError `ERR_CONFIG_INVALID` unless the key is a private RSA key of 2048 bits or more.
 * @example
 * const signature = signRsaSha256(buildRequestPayload({ method: 'GET', url, headers }), privateKey);
 */
export function signRsaSha256(text: string, privateKey: RsaKey): string {
  const key = parseRsaPrivateKey(privateKey, 'privateKey');
  return sign('sha256', Buffer.from(text, 'utf8'), key).toString('base64');
}

/**
 * Returns whether `signature`, in strict standard base64, is valid for `text` (section 5.2).
 *
 * @throws RampError `ERR_CONFIG_INVALID` unless the key is a public RSA key of 2048 bits or more.
 * @example
 * verifyRsaSha256(buildRequestPayload({ method: 'POST', url, headers }), signature, webhookPublicKey);
 */
export function verifyRsaSha256(text: string, signature: string, publicKey: RsaKey): boolean {
  const key = parseRsaPublicKey(publicKey, 'publicKey');
  if (typeof signature !== 'string') return false;
  const bytes = Buffer.from(signature, 'base64');
  // Node also decodes other encodings of the same bytes: other alphabets, line breaks, trailing bits.
  if (bytes.toString('base64') !== signature) return false;
  return verify('sha256', Buffer.from(text, 'utf8'), key, bytes);
}
