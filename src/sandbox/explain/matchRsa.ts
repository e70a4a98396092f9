import { constants, createHmac, hash, type KeyObject, publicDecrypt } from 'node:crypto';
import type { NamedKey, SignatureMatcher } from './SignatureMatcher.js';
import { readSignature, type SignatureForm } from './signatureForms.js';
import type { MessageKind } from './signedMessage.js';
import type { Mistake } from './textMistakes.js';

export interface NamedPublicKey {
  readonly name: string;
  readonly key: KeyObject;
}

/** The bytes before the hash in an RSA signature (RFC 8017, section 9.2, note 1). */
const hashHeaders: readonly (readonly [hash: string, header: string])[] = [
  ['sha256', '3031300d060960864801650304020105000420'],
  ['sha1', '3021300906052b0e03021a05000414'],
  ['sha512', '3051300d060960864801650304020305000440'],
  ['sha384', '3041300d060960864801650304020205000430'],
  ['sha224', '302d300d06096086480165030402040500041c'],
  ['md5', '3020300c06082a864886f70d020505000410'],
];

/**
 * A signature that a public key has opened. That gives the hash of the signed text, so that comparing a text takes one
 * hash instead of a verification.
 */
interface OpenedSignature {
  /** The mistakes that are certain before any text is compared. */
  readonly mistakes: readonly Mistake[];
  /** Returns the mistakes with which the text gives the signature, as `SignatureMatcher` does. */
  readonly match: SignatureMatcher['match'];
  readonly mostTextMistakes: 1 | 2;
}

const useRsa = 'Sign with RSA and SHA-256 (RSASSA-PKCS1-v1_5): createSign("RSA-SHA256").';
const digestSigned: Mistake = {
  id: 'digest-signed',
  what: 'The text was hashed before it was signed, and so was hashed twice.',
  fix: 'Pass the text to the function that signs, not its hash.',
};
const withoutHeader: Mistake = {
  id: 'rsa-without-header',
  what: 'The text or its hash was encrypted with the private key, but that is not yet a signature.',
  fix: useRsa,
};

/** Removes the signature's encryption. Returns `undefined` if the key is another one, or the padding. */
function decrypt(key: KeyObject, bytes: Buffer, padding: number): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding }, bytes);
  } catch {
    return undefined;
  }
}

function openSignature(
  { bytes, mistakes }: SignatureForm,
  key: KeyObject,
): OpenedSignature | undefined {
  const content = decrypt(key, bytes, constants.RSA_PKCS1_PADDING)?.toString('hex');
  if (content === undefined) return undefined;
  for (const [name, header] of hashHeaders)
    if (content.startsWith(header))
      return openHash(name, content.slice(header.length), [
        ...mistakes,
        ...(name === 'sha256' ? [] : [nameHash(name)]),
      ]);
  return {
    mistakes,
    mostTextMistakes: 1,
    match(text, mostMistakes) {
      if (mostMistakes < 1) return undefined;
      const digest = hash('sha256', text, 'hex');
      const contents = [digest, toHex(digest), toHex(text)];
      return contents.includes(content) ? [...mistakes, withoutHeader] : undefined;
    },
  };
}

const toHex = (text: string) => Buffer.from(text).toString('hex');
const nameHash = (name: string): Mistake => ({
  id: 'algorithm',
  what: `The text was hashed with ${name.toUpperCase().replace('SHA', 'SHA-')}, not with SHA-256.`,
  fix: useRsa,
});

function openHash(name: string, content: string, mistakes: readonly Mistake[]): OpenedSignature {
  return {
    mistakes,
    mostTextMistakes: 2,
    match(text, mostMistakes) {
      if (hash(name, text, 'hex') === content) return mistakes;
      if (mostMistakes < 1) return undefined;
      const digests = [hash('sha256', text, 'buffer'), hash('sha256', text, 'hex')];
      return digests.some((digest) => hash(name, digest, 'hex') === content)
        ? [...mistakes, digestSigned]
        : undefined;
    },
  };
}

const pss: Mistake = {
  id: 'pss',
  what: 'The signature is RSA-PSS, not RSASSA-PKCS1-v1_5.',
  fix: useRsa,
};

/**
 * Opens an RSA-PSS signature (RFC 8017, section 9.1.2) as far as that needs no text. Whether it is one, only a text can
 * show: other bytes may look like one by chance.
 */
function* openPss({ bytes, mistakes }: SignatureForm, key: KeyObject): Generator<OpenedSignature> {
  const whole = decrypt(key, bytes, constants.RSA_NO_PADDING);
  const bits = (key.asymmetricKeyDetails?.modulusLength ?? 0) - 1;
  const encoded = whole?.subarray(whole.length - Math.ceil(bits / 8));
  if (encoded?.at(-1) !== 0xbc) return;
  // Java masks with SHA-1 by default, whatever the hash.
  for (const [name, size] of [
    ['sha256', 32],
    ['sha1', 20],
    ['sha512', 64],
  ] as const)
    for (const maskName of new Set([name, 'sha1'])) {
      const end: number = encoded.length - size - 1;
      if (end < 1) continue;
      const expected = encoded.subarray(end, -1);
      const mask = createMask(maskName, expected, end);
      const data = encoded.subarray(0, end).map((byte, at) => byte ^ (mask[at] ?? 0));
      data[0] = (data[0] ?? 0) & (0xff >> (8 * encoded.length - bits));
      const mark = data.findIndex((byte) => byte !== 0);
      if (data[mark] !== 1) continue;
      const before = Buffer.alloc(8);
      const salt = data.subarray(mark + 1);
      yield {
        mistakes: [...mistakes, pss],
        mostTextMistakes: 2,
        match(text) {
          const digest = hash(name, text, 'buffer');
          return hash(name, Buffer.concat([before, digest, salt]), 'buffer').equals(expected)
            ? [...mistakes, pss]
            : undefined;
        },
      };
    }
}

/** The mask generation function MGF1 (RFC 8017, section B.2.1). */
function createMask(name: string, seed: Buffer, length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let count = 0; Buffer.concat(pieces).length < length; count++) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    pieces.push(hash(name, Buffer.concat([seed, counter]), 'buffer'));
  }
  return Buffer.concat(pieces);
}

/** Creates the matcher for the RSA signature of a request or a webhook (docs/service-interface.md sections 5.1, 5.2). */
export function createRsaMatcher(
  signature: string,
  kind: MessageKind,
  key: KeyObject,
  otherKeys: readonly NamedPublicKey[],
  secrets: readonly NamedKey[],
): SignatureMatcher {
  const { forms } = readSignature(signature, kind);
  const fix =
    kind === 'webhook'
      ? 'Verify with the WebhookPublicKey of this environment.'
      : 'Sign with the APIPrivateKey of this partner ID and this environment.';
  const keys = [
    { key, mistakes: [] },
    ...otherKeys.map(({ name, key: other }) => ({
      key: other,
      mistakes: [{ id: 'another-secret', what: `It was signed with another key: ${name}.`, fix }],
    })),
  ];
  const opened: OpenedSignature[] = [];
  const openedAsPss: OpenedSignature[] = [];
  for (const form of forms)
    for (const { key: candidate, mistakes } of keys) {
      const ownForm = { ...form, mistakes: [...mistakes, ...form.mistakes] };
      const signed = openSignature(ownForm, candidate);
      if (signed) opened.push(signed);
      else openedAsPss.push(...openPss(ownForm, candidate));
      if (signed) break;
    }
  const hmacForms = secrets.length > 0 ? forms.filter(({ bytes }) => bytes.length === 32) : [];

  function matchHmac(text: string): readonly Mistake[] | undefined {
    for (const { bytes, mistakes } of hmacForms)
      for (const { name, value } of secrets)
        if (createHmac('sha256', value).update(text).digest().equals(bytes))
          return [
            {
              id: 'hmac-for-rsa',
              what: `The signature is an HMAC with another key: ${name}.`,
              fix: `${useRsa} The SecretKey signs widget URLs only.`,
            },
            ...mistakes,
          ];
    return undefined;
  }

  const all = [...opened, ...openedAsPss];
  const counts = [0, ...all.map((each) => each.mostTextMistakes), hmacForms.length > 0 ? 1 : 0];
  return {
    match(text, mostMistakes) {
      for (const each of all) {
        const mistakes = each.match(text, mostMistakes);
        if (mistakes) return mistakes;
      }
      return mostMistakes < 1 ? undefined : matchHmac(text);
    },
    mostTextMistakes: Math.max(...counts) as 0 | 1 | 2,
    certain: opened[0]?.mistakes ?? [],
    notes:
      opened.length > 0
        ? [
            opened[0]?.mistakes.some(({ id }) => id === 'another-secret')
              ? 'The text that was signed is another one too.'
              : 'The key is right: the signature was made with it, but for another text.',
          ]
        : describeForms(forms, key),
  };
}

/** Says what is certain about a signature that no known key opens. */
function describeForms(forms: readonly SignatureForm[], key: KeyObject): string[] {
  const sizes = forms.map(({ bytes }) => bytes.length);
  const [size] = sizes;
  if (size === undefined) return ['The signature is neither base64 nor hexadecimal.'];
  const right = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  if (!sizes.includes(right))
    return [
      `The signature has ${size} bytes. One of this key has ${right}, which are ${4 * Math.ceil(right / 3)} characters of base64.`,
    ];
  return [
    'No known public key opens the signature: it was made with another private key, or was changed on the way.',
  ];
}
