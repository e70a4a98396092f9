import {
  constants,
  createHash,
  createHmac,
  type KeyObject,
  publicDecrypt,
  verify,
} from 'node:crypto';
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

/** What an RSA signature contains, and the mistakes that are certain before any text is compared. */
interface OpenedSignature {
  readonly hash: string;
  /** The hash, in hexadecimal; without a header it is whatever was encrypted. */
  readonly content: string;
  readonly hasHeader: boolean;
  readonly mistakes: readonly Mistake[];
}

const useRsa = 'Sign with RSA and SHA-256 (RSASSA-PKCS1-v1_5): createSign("RSA-SHA256").';
const hashText = (hash: string, text: string | Buffer) => createHash(hash).update(text).digest();

/**
 * Opens a signature with a public key, which gives the hash of the signed text. Comparing hashes takes a small part of
 * the time of verifying, so thousands of texts can be tried.
 */
function openSignature(
  { bytes, mistakes }: SignatureForm,
  key: KeyObject,
): OpenedSignature | undefined {
  let content: string;
  try {
    const padding = constants.RSA_PKCS1_PADDING;
    content = publicDecrypt({ key, padding }, bytes).toString('hex');
  } catch {
    return undefined;
  }
  for (const [hash, header] of hashHeaders)
    if (content.startsWith(header))
      return {
        hash,
        content: content.slice(header.length),
        hasHeader: true,
        mistakes:
          hash === 'sha256'
            ? mistakes
            : [
                ...mistakes,
                {
                  id: 'algorithm',
                  what: `The text was hashed with ${hash.toUpperCase().replace('SHA', 'SHA-')}, not with SHA-256.`,
                  fix: useRsa,
                },
              ],
      };
  return { hash: 'sha256', content, hasHeader: false, mistakes };
}

function matchOpened(opened: OpenedSignature, text: string): readonly Mistake[] | undefined {
  const { hash, content, hasHeader, mistakes } = opened;
  const once = hashText(hash, text);
  if (hasHeader) {
    if (once.toString('hex') === content) return mistakes;
    const twice = [hashText('sha256', text), hashText('sha256', text).toString('hex')];
    return twice.some((digest) => hashText(hash, digest).toString('hex') === content)
      ? [
          ...mistakes,
          {
            id: 'digest-signed',
            what: 'The text was hashed before it was signed, and so was hashed twice.',
            fix: 'Pass the text to the function that signs, not its hash.',
          },
        ]
      : undefined;
  }
  const contents = [once, Buffer.from(once.toString('hex')), Buffer.from(text)];
  return contents.some((bytes) => bytes.toString('hex') === content)
    ? [
        ...mistakes,
        {
          id: 'rsa-without-header',
          what: 'The text or its hash was encrypted with the private key, but that is not yet a signature.',
          fix: useRsa,
        },
      ]
    : undefined;
}

const pss: Mistake = {
  id: 'pss',
  what: 'The signature is RSA-PSS, not RSASSA-PKCS1-v1_5.',
  fix: useRsa,
};
const hashes = ['sha256', 'sha1', 'sha512'];

/** Creates the matcher for the RSA signature of a request or a webhook (docs/service-interface.md sections 5.1, 5.2). */
export function createRsaMatcher(
  signature: string,
  kind: MessageKind,
  key: KeyObject,
  otherKeys: readonly NamedPublicKey[],
  secrets: readonly NamedKey[],
): SignatureMatcher {
  const { forms } = readSignature(signature, kind);
  const opened: OpenedSignature[] = [];
  const fix =
    kind === 'webhook'
      ? 'Verify with the WebhookPublicKey of this environment.'
      : 'Sign with the APIPrivateKey of this partner ID and this environment.';
  for (const form of forms) {
    const right = openSignature(form, key);
    if (right) opened.push(right);
    for (const { name, key: other } of right ? [] : otherKeys) {
      const what = `It was signed with another key: ${name}.`;
      const wrong = openSignature(form, other);
      if (wrong)
        opened.push({
          ...wrong,
          mistakes: [{ id: 'another-secret', what, fix }, ...wrong.mistakes],
        });
    }
  }
  const hmacForms = forms.filter(({ bytes }) => bytes.length <= 64);

  function matchPss(text: string): readonly Mistake[] | undefined {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    for (const { bytes, mistakes } of forms)
      for (const hash of bytes.length >= 256 ? hashes : [])
        if (verify(hash, Buffer.from(text), { key, padding }, bytes)) return [...mistakes, pss];
    return undefined;
  }

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

  return {
    match(text, mostMistakes) {
      for (const each of opened) {
        const mistakes = matchOpened(each, text);
        if (mistakes) return mistakes;
      }
      if (opened.length > 0 || mostMistakes < 1) return undefined;
      return matchHmac(text) ?? matchPss(text);
    },
    triesTexts: opened.length > 0 || hmacForms.length > 0,
    certain: opened[0]?.mistakes ?? [],
    notes:
      forms.length === 0
        ? ['The signature is neither base64 nor hexadecimal.']
        : opened.length > 0
          ? [
              opened[0]?.mistakes.some(({ id }) => id === 'another-secret')
                ? 'The text that was signed is another one too.'
                : 'The key is right: the signature was made with it, but for another text.',
            ]
          : [
              'No known public key opens the signature: it was made with another private key, or was changed on the way.',
            ],
  };
}
