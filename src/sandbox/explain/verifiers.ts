import { constants, createHmac, hash, type KeyObject, publicDecrypt, verify } from 'node:crypto';
import type { KnownKeys } from './explainSignature.js';
import { type Mistake, withFix } from './Mistake.js';
import type { MessageKind } from './signedMessage.js';

/** A secret or key other than the right one, which a signer may have used by mistake. */
export interface NamedKey {
  /** How messages name it, such as `the SecretKey of the environment`. */
  readonly name: string;
  readonly value: string;
}

export interface NamedPublicKey {
  readonly name: string;
  readonly key: KeyObject;
}

type Verify = (text: string, signature: Buffer) => boolean;

/** Verifies signatures as the service does, and as if the signer had used another key or algorithm. */
export interface Verifier {
  readonly verify: Verify;
  readonly mistakes: readonly (Mistake & { readonly verify: Verify })[];
  /** The length of a signature in bytes. */
  readonly size: number;
  /** Says what is certain about a signature whose text is unknown. */
  readonly describe: (signature: Buffer) => string[];
  /** Creates the right signature. Absent for RSA, because that needs the private key. */
  readonly sign?: (text: string) => Buffer;
}

export function createVerifier(kind: MessageKind, keys: KnownKeys): Verifier {
  const { secretKey, apiPublicKey, webhookPublicKey, otherPublicKeys = [] } = keys;
  if (kind === 'widget-url') {
    if (!secretKey) throw new TypeError('The SecretKey is missing.');
    return createHmacVerifier(secretKey, keys);
  }
  const [key, name, other] =
    kind === 'webhook'
      ? [webhookPublicKey, 'the APIPrivateKey', apiPublicKey]
      : [apiPublicKey, "the service's key for webhooks", webhookPublicKey];
  if (!key) throw new TypeError(`The public key of the ${kind} is missing.`);
  const others = [...(other ? [{ name, key: other }] : []), ...otherPublicKeys];
  return createRsaVerifier(kind, key, others, keys);
}

/** Verifies widget URLs (service interface, section 5.3). */
function createHmacVerifier(
  secretKey: string,
  { partnerId, otherSecrets = [] }: KnownKeys,
): Verifier {
  const hmac = (text: string | Buffer, key: string | Buffer = secretKey, name = 'sha256') =>
    createHmac(name, key).update(text).digest();
  const signedWith = (...keys: (string | Buffer)[]) => ({
    verify: (text: string, signature: Buffer) =>
      keys.some((key) => hmac(text, key).equals(signature)),
  });
  const signedBy = (sign: (text: string) => Buffer[]) => ({
    verify: (text: string, signature: Buffer) =>
      sign(text).some((other) => other.equals(signature)),
  });
  const trim = withFix('Remove what stands around the SecretKey, on both sides.');
  const asItIs = withFix('Take the SecretKey as it is: its characters are the bytes of the key.');
  const load = withFix('Check that its variable is set in the process that signs.');
  const ownKey = withFix(
    'Sign widget URLs with the SecretKey of this partner ID and this environment.',
  );
  const hmacOnly = withFix('Sign with HMAC-SHA-256, with the SecretKey as its key.');
  const key = secretKey;
  return {
    size: 32,
    verify: (text, signature) => hmac(text).equals(signature),
    sign: (text) => hmac(text),
    describe: () => [],
    mistakes: [
      trim(
        'key-white-space',
        'There is white space around the SecretKey of one side, such as the line break of its file.',
        signedWith(`${key}\n`, `${key}\r\n`, `${key} `, ` ${key}`, key.trim()),
      ),
      trim(
        'key-quoted',
        'The SecretKey of one side is in quotes.',
        signedWith(`"${key}"`, `'${key}'`, key.replace(/^(["'])(.*)\1$/s, '$2')),
      ),
      asItIs(
        'key-base64-decoded',
        'The SecretKey was decoded as base64 before it was used.',
        signedWith(Buffer.from(key, 'base64')),
      ),
      asItIs(
        'key-hex-decoded',
        'The SecretKey was decoded as hexadecimal before it was used.',
        signedWith(...(/^(?:[0-9a-f]{2})+$/i.test(key) ? [Buffer.from(key, 'hex')] : [])),
      ),
      load(
        'key-missing',
        'The SecretKey was missing where the text was signed.',
        signedWith('', 'undefined', 'null', 'None'),
      ),
      ownKey(
        'another-secret',
        'The partner ID was used as the key.',
        signedWith(...(partnerId ? [partnerId] : [])),
      ),
      ...otherSecrets.map(({ name, value }) =>
        ownKey('another-secret', `Another key was used: ${name}.`, signedWith(value, value.trim())),
      ),
      ...['SHA-1', 'SHA-512', 'MD5'].map((name) =>
        hmacOnly(
          'algorithm',
          `The signature is an HMAC with ${name}, not with SHA-256.`,
          signedBy((text) => [hmac(text, key, name.replace('-', ''))]),
        ),
      ),
      hmacOnly(
        'digest-signed',
        'The text was hashed before it was signed.',
        signedBy((text) => [
          hmac(hash('sha256', text, 'hex')),
          hmac(hash('sha256', text, 'buffer')),
        ]),
      ),
      hmacOnly(
        'hash-for-hmac',
        'The signature is a plain hash, not an HMAC.',
        signedBy((text) =>
          [text, text + key, key + text, `${text}&key=${key}`].flatMap((content) => [
            hash('sha256', content, 'buffer'),
            hash('md5', content, 'buffer'),
          ]),
        ),
      ),
      hmacOnly(
        'key-and-text-swapped',
        'The text and the key were swapped: the text is the key of the HMAC.',
        signedBy((text) => [hmac(key, text)]),
      ),
    ],
  };
}

/** Verifies requests to the partner API and webhooks (service interface, sections 5.1 and 5.2). */
function createRsaVerifier(
  kind: MessageKind,
  key: KeyObject,
  otherKeys: readonly NamedPublicKey[],
  { secretKey, otherSecrets = [] }: KnownKeys,
): Verifier {
  const verifiedWith = (by: KeyObject, name?: string, padding?: number) => ({
    verify: (text: string, signature: Buffer) => verifyRsa(text, signature, by, name, padding),
  });
  const ownKey = withFix(
    kind === 'webhook'
      ? 'Verify with the WebhookPublicKey of this environment.'
      : 'Sign with the APIPrivateKey of this partner ID and this environment.',
  );
  const rsaOnly = withFix(
    'Sign the text, not its hash, with RSA and SHA-256 (RSASSA-PKCS1-v1_5): createSign("RSA-SHA256").',
  );
  const secrets = secretKey ? [{ name: 'the SecretKey', value: secretKey }] : [];
  return {
    ...verifiedWith(key),
    size: Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8),
    describe: (signature) => describeRsa(signature, key, otherKeys),
    mistakes: [
      ...otherKeys.map((other) =>
        ownKey(
          'another-secret',
          `It was signed with another key: ${other.name}.`,
          verifiedWith(other.key),
        ),
      ),
      ...['SHA-1', 'SHA-512'].map((name) =>
        rsaOnly(
          'algorithm',
          `The text was hashed with ${name}, not with SHA-256.`,
          verifiedWith(key, name.replace('-', '')),
        ),
      ),
      rsaOnly(
        'pss',
        'The signature is RSA-PSS, not RSASSA-PKCS1-v1_5.',
        verifiedWith(key, 'sha256', constants.RSA_PKCS1_PSS_PADDING),
      ),
      rsaOnly('digest-signed', 'The text was hashed before it was signed, and so twice.', {
        verify: (text: string, signature: Buffer) =>
          verifyRsa(hash('sha256', text, 'hex'), signature, key) ||
          verifyRsa(hash('sha256', text, 'buffer'), signature, key),
      }),
      ...[...secrets, ...otherSecrets].map(({ name, value }) =>
        rsaOnly('hmac-for-rsa', `The signature is an HMAC with another key: ${name}.`, {
          verify: (text: string, signature: Buffer) =>
            createHmac('sha256', value).update(text).digest().equals(signature),
        }),
      ),
    ],
  };
}

function verifyRsa(
  text: string | Buffer,
  signature: Buffer,
  key: KeyObject,
  name = 'sha256',
  padding: number = constants.RSA_PKCS1_PADDING,
): boolean {
  try {
    return verify(name, Buffer.from(text), { key, padding }, signature);
  } catch {
    // Another environment's key may not be an RSA key.
    return false;
  }
}

function describeRsa(signature: Buffer, key: KeyObject, otherKeys: readonly NamedPublicKey[]) {
  const isSignedBy = (other: KeyObject) => {
    try {
      // This throws unless the signature was made with this key, whatever the text was.
      publicDecrypt({ key: other, padding: constants.RSA_PKCS1_PADDING }, signature);
      return true;
    } catch {
      return false;
    }
  };
  if (isSignedBy(key))
    return ['The key is right: the signature was made with it, but for another text.'];
  const other = otherKeys.find((each) => isSignedBy(each.key));
  return other
    ? [`The signature was made with another key, ${other.name}, and for another text.`]
    : [
        'No known public key opens the signature: it was made with another private key or as RSA-PSS, or was changed on the way.',
      ];
}
