import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { NamedKey, SignatureMatcher } from './SignatureMatcher.js';
import { type ReceivedSignature, readSignature } from './signatureForms.js';
import type { MessageKind } from './signedMessage.js';
import type { Mistake } from './textMistakes.js';

interface Variant<T> {
  readonly value: T;
  readonly mistakes: readonly Mistake[];
}
type Sign = (key: KeyObject, text: string) => Buffer;

const hmac =
  (hash: string): Sign =>
  (key, text) =>
    createHmac(hash, key).update(text, 'utf8').digest();
const digest = (hash: string, ...parts: readonly (string | Buffer)[]) => {
  const sum = createHash(hash);
  for (const part of parts) sum.update(part);
  return sum.digest();
};
const useHmac = 'Sign with HMAC-SHA-256, with the SecretKey as its key.';

const algorithms: readonly Variant<Sign>[] = [
  { value: hmac('sha256'), mistakes: [] },
  ...(['sha1', 'sha512', 'sha384', 'sha224', 'md5'] as const).map((hash) => ({
    value: hmac(hash),
    mistakes: [
      {
        id: 'algorithm',
        what: `The signature is an HMAC with ${hash.toUpperCase().replace('SHA', 'SHA-')}, not with SHA-256.`,
        fix: useHmac,
      },
    ],
  })),
  ...listOtherAlgorithms(),
];

function* listOtherAlgorithms(): Generator<Variant<Sign>> {
  const vary = (id: string, what: string, value: Sign) => ({
    value,
    mistakes: [{ id, what, fix: useHmac }],
  });
  const hashed = 'The text was hashed before it was signed.';
  const signHex: Sign = (key, text) => hmac('sha256')(key, digest('sha256', text).toString('hex'));
  yield vary('digest-signed', hashed, signHex);
  yield vary('digest-signed', hashed, (key, text) =>
    createHmac('sha256', key).update(digest('sha256', text)).digest(),
  );
  const swapped = 'The text and the key were swapped: the text is the key of the HMAC.';
  yield vary('key-and-text-swapped', swapped, (key, text) =>
    createHmac('sha256', text).update(key.export()).digest(),
  );
  const noHmac = 'The signature is a plain hash of the text and the key, not an HMAC.';
  for (const hash of ['sha256', 'md5', 'sha1']) {
    const between = ['', '&key=', '&secret=', '&secretKey='];
    for (const words of between)
      yield vary('hash-for-hmac', noHmac, (key, text) => digest(hash, text, words, key.export()));
    yield vary('hash-for-hmac', noHmac, (key, text) => digest(hash, key.export(), text));
    const noKey = 'The signature is a plain hash of the text, without a key.';
    yield vary('hash-for-hmac', noKey, (_, text) => digest(hash, text));
  }
}

/** Lists what a signer may have taken as the key. */
function* listKeys(
  secretKey: string,
  partnerId: string | undefined,
  others: readonly NamedKey[],
): Generator<Variant<Buffer>> {
  yield { value: Buffer.from(secretKey), mistakes: [] };
  const vary = (id: string, what: string, value: string | Buffer, fix: string) => ({
    value: Buffer.from(value),
    mistakes: [{ id, what, fix }],
  });
  const asText = 'Take the SecretKey as it is: its characters are the bytes of the key.';
  const decoded = 'The SecretKey was decoded before it was used.';
  if (/^(?:[0-9a-f]{2})+$/i.test(secretKey))
    yield vary('key-hex-decoded', decoded, Buffer.from(secretKey, 'hex'), asText);
  yield vary('key-base64-decoded', decoded, Buffer.from(secretKey, 'base64'), asText);
  const encoded = 'The SecretKey was encoded before it was used.';
  yield vary('key-encoded', encoded, Buffer.from(secretKey).toString('base64'), asText);
  yield vary('key-encoded', encoded, Buffer.from(secretKey).toString('hex'), asText);
  const hashed = 'The SecretKey was hashed before it was used.';
  yield vary('key-hashed', hashed, digest('sha256', secretKey), asText);
  yield vary('key-hashed', hashed, digest('sha256', secretKey).toString('hex'), asText);
  const space = 'There is white space around the SecretKey, such as the line break of its file.';
  for (const [before, after] of [
    ['', '\n'],
    ['', '\r\n'],
    ['', '\r'],
    ['', ' '],
    [' ', ''],
    [' ', ' '],
    ['\ufeff', ''],
  ])
    yield vary('key-white-space', space, `${before}${secretKey}${after}`, 'Trim the SecretKey.');
  yield vary(
    'key-white-space',
    'The SecretKey has white space around it that the signer has trimmed.',
    secretKey.trim(),
    'Use the same SecretKey on both sides.',
  );
  const quoted = 'The SecretKey is in quotes.';
  for (const quote of ['"', "'", '`'])
    yield vary('key-quoted', quoted, `${quote}${secretKey}${quote}`, 'Remove the quotes.');
  const unquoted = /^(["'])(.*)\1$/s.exec(secretKey)?.[2];
  if (unquoted !== undefined)
    yield vary(
      'key-quoted',
      'The known SecretKey is in quotes, and the signer took it without them.',
      unquoted,
      'Remove the quotes.',
    );
  const cased = 'The SecretKey was in another case.';
  yield vary('key-case', cased, secretKey.toLowerCase(), asText);
  yield vary('key-case', cased, secretKey.toUpperCase(), asText);
  const none = 'The SecretKey was missing where the text was signed.';
  const load = 'Check that the environment variable is set in the process that signs.';
  for (const value of ['', 'undefined', 'null', 'None'])
    yield vary('key-missing', none, value, load);
  const wrong = 'Sign widget URLs with the SecretKey of this partner ID and this environment.';
  if (partnerId)
    yield vary('another-secret', 'The partner ID was used as the key.', partnerId, wrong);
  for (const { name, value } of others)
    for (const text of new Set([value, value.trim(), value.replaceAll('\n', '\\n')]))
      yield vary('another-secret', `Another key was used: ${name}.`, text, wrong);
}

const cutOff: Mistake = {
  id: 'signature-cut-off',
  what: 'The end of the signature is missing.',
  fix: 'Send the whole signature, 44 characters, percent-encoded: a column or a variable may be too short.',
};
const inLowerCase: Mistake = {
  id: 'signature-case',
  what: 'The signature was changed to lower case.',
  fix: 'Base64 is case-sensitive: change no character after signing.',
};

/** Creates the matcher for the signature of a widget URL (docs/service-interface.md section 5.3). */
export function createHmacMatcher(
  signature: string,
  kind: MessageKind,
  secretKey: string,
  partnerId: string | undefined,
  others: readonly NamedKey[],
): SignatureMatcher {
  const received = readSignature(signature, kind);
  const forms = new Map<string, readonly Mistake[]>();
  for (const { bytes, mistakes } of received.forms) {
    const name = bytes.toString('hex');
    if (!forms.has(name)) forms.set(name, mistakes);
  }
  const keys: Variant<KeyObject>[] = [];
  const seen = new Set<string>();
  for (const { value, mistakes } of listKeys(secretKey, partnerId, others)) {
    if (seen.has(value.toString('hex'))) continue;
    seen.add(value.toString('hex'));
    keys.push({ value: createSecretKey(value), mistakes });
  }
  const lengths = new Set(received.forms.map(({ bytes }) => bytes.length));
  const isLower = received.text !== '' && received.text === received.text.toLowerCase();
  const mayBeDamaged = received.text.length >= 20 && (received.text.length !== 44 || isLower);
  const findForm = (bytes: Buffer): readonly Mistake[] | undefined => {
    const form = lengths.has(bytes.length) ? forms.get(bytes.toString('hex')) : undefined;
    return form ?? (mayBeDamaged ? findDamage(received, bytes.toString('base64')) : undefined);
  };
  const noKey = keys.slice(0, 1);
  const noAlgorithm = algorithms.slice(0, 1);
  return {
    match(text, mostMistakes) {
      for (const [usedKeys, usedAlgorithms] of [
        [noKey, noAlgorithm],
        ...(mostMistakes >= 1
          ? [
              [keys.slice(1), noAlgorithm],
              [noKey, algorithms.slice(1)],
            ]
          : []),
        ...(mostMistakes >= 2 ? [[keys.slice(1), algorithms.slice(1)]] : []),
      ] as [Variant<KeyObject>[], Variant<Sign>[]][])
        for (const key of usedKeys)
          for (const algorithm of usedAlgorithms) {
            const form = findForm(algorithm.value(key.value, text));
            if (form) return [...key.mistakes, ...algorithm.mistakes, ...form];
          }
      return undefined;
    },
    triesTexts: mayBeDamaged || hashLengths.some((length) => lengths.has(length)),
    certain: [],
    notes: listNotes(lengths),
  };
}

/** The number of bytes that the hashes above have. */
const hashLengths = [16, 20, 28, 32, 48, 64];

/** Finds what happened to a right signature after it was encoded. */
function findDamage(
  { text, mistakes }: ReceivedSignature,
  right: string,
): readonly Mistake[] | undefined {
  if (text === right.toLowerCase()) return [...mistakes, inLowerCase];
  // A signature without its padding is not cut off: it is the form signature-padding.
  return right.startsWith(text) && !/^=*$/.test(right.slice(text.length))
    ? [...mistakes, cutOff]
    : undefined;
}

function listNotes(lengths: ReadonlySet<number>): string[] {
  const [bytes] = lengths;
  if (bytes === undefined) return ['The signature is neither base64 nor hexadecimal.'];
  return lengths.has(32)
    ? []
    : [
        `The signature has ${bytes} bytes. An HMAC with SHA-256 has 32, which are 44 characters of base64.`,
      ];
}
