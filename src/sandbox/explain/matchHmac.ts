import { hash } from 'node:crypto';
import type { NamedKey, SignatureMatcher } from './SignatureMatcher.js';
import { createDamageFinder, readSignature } from './signatureForms.js';
import type { MessageKind } from './signedMessage.js';
import type { Mistake } from './textMistakes.js';

interface Variant<T> {
  readonly value: T;
  readonly mistakes: readonly Mistake[];
}

/** The number of bytes of each hash, and of the blocks that it reads. */
const hashSizes = {
  sha256: [32, 64],
  sha1: [20, 64],
  sha512: [64, 128],
  sha384: [48, 128],
  sha224: [28, 64],
  md5: [16, 64],
} as const;
type HashName = keyof typeof hashSizes;
const hashNames = Object.keys(hashSizes) as HashName[];

/** A key that has its padded blocks ready for the thousands of texts that are tried with it. */
interface HmacKey {
  readonly bytes: Buffer;
  /** Returns the HMAC in hexadecimal. */
  readonly hmac: (name: HashName, text: Buffer) => string;
}

/** Creates HMACs (RFC 2104) with two one-shot hashes each, which are much faster than `createHmac`. */
function createHmacKey(bytes: Buffer): HmacKey {
  const pads = new Map<HashName, { inner: Buffer; outer: Buffer }>();
  const createPads = (name: HashName) => {
    const [size, block] = hashSizes[name];
    const key = Buffer.alloc(block);
    (bytes.length > block ? hash(name, bytes, 'buffer') : bytes).copy(key);
    const outer = Buffer.concat([key.map((byte) => byte ^ 0x5c), Buffer.alloc(size)]);
    return { inner: Buffer.from(key.map((byte) => byte ^ 0x36)), outer };
  };
  return {
    bytes,
    hmac(name, text) {
      let pad = pads.get(name);
      if (!pad) {
        pad = createPads(name);
        pads.set(name, pad);
      }
      const [, block] = hashSizes[name];
      const length = block + text.length;
      if (pad.inner.length < length) pad.inner = Buffer.concat([pad.inner, Buffer.alloc(length)]);
      text.copy(pad.inner, block);
      pad.outer.write(hash(name, pad.inner.subarray(0, length), 'hex'), block, 'hex');
      return hash(name, pad.outer, 'hex');
    },
  };
}

/** An algorithm that a signer may have taken. */
interface Algorithm {
  /** The number of bytes that it gives. */
  readonly size: number;
  /** Returns the signature in hexadecimal. */
  readonly sign: (key: HmacKey, text: Buffer) => string;
}

const useHmac = 'Sign with HMAC-SHA-256, with the SecretKey as its key.';

const algorithms: readonly Variant<Algorithm>[] = [...listAlgorithms()];

function* listAlgorithms(): Generator<Variant<Algorithm>> {
  const vary = (id: string, what: string, name: HashName, sign: Algorithm['sign']) => ({
    value: { size: hashSizes[name][0], sign },
    mistakes: [{ id, what, fix: useHmac }],
  });
  for (const name of hashNames) {
    const title = name.toUpperCase().replace('SHA', 'SHA-');
    const what = `The signature is an HMAC with ${title}, not with SHA-256.`;
    const variant = vary('algorithm', what, name, (key, text) => key.hmac(name, text));
    yield name === 'sha256' ? { ...variant, mistakes: [] } : variant;
  }
  const hashed = 'The text was hashed before it was signed.';
  yield vary('digest-signed', hashed, 'sha256', (key, text) =>
    key.hmac('sha256', Buffer.from(hash('sha256', text, 'hex'))),
  );
  yield vary('digest-signed', hashed, 'sha256', (key, text) =>
    key.hmac('sha256', hash('sha256', text, 'buffer')),
  );
  const swapped = 'The text and the key were swapped: the text is the key of the HMAC.';
  yield vary('key-and-text-swapped', swapped, 'sha256', (key, text) =>
    createHmacKey(text).hmac('sha256', key.bytes),
  );
  const noHmac = 'The signature is a plain hash of the text and the key, not an HMAC.';
  for (const name of ['sha256', 'md5', 'sha1'] as const) {
    const digest = (...parts: readonly Buffer[]) => hash(name, Buffer.concat(parts), 'hex');
    for (const words of ['', '&key=', '&secret=', '&secretKey='])
      yield vary('hash-for-hmac', noHmac, name, (key, text) =>
        digest(text, Buffer.from(words), key.bytes),
      );
    yield vary('hash-for-hmac', noHmac, name, (key, text) => digest(key.bytes, text));
    const noKey = 'The signature is a plain hash of the text, without a key.';
    yield vary('hash-for-hmac', noKey, name, (_, text) => digest(text));
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
  yield vary('key-hashed', hashed, hash('sha256', secretKey, 'buffer'), asText);
  yield vary('key-hashed', hashed, hash('sha256', secretKey, 'hex'), asText);
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
  const keys: Variant<HmacKey>[] = [];
  const seen = new Set<string>();
  for (const { value, mistakes } of listKeys(secretKey, partnerId, others)) {
    if (seen.has(value.toString('hex'))) continue;
    seen.add(value.toString('hex'));
    keys.push({ value: createHmacKey(value), mistakes });
  }
  const lengths = new Set(received.forms.map(({ bytes }) => bytes.length));
  const damage = createDamageFinder(received);
  // A signature of 44 characters was neither cut off nor, with upper-case letters in it, changed to lower case.
  const mayBeDamaged = received.text.length !== 44 || received.text === received.text.toLowerCase();
  const sizes = Object.values(hashSizes).map(([size]) => size);
  const possible = new Set<number>(
    sizes.filter((size) => lengths.has(size) || (mayBeDamaged && damage.canComeFrom(size))),
  );
  const findForm = (hex: string): readonly Mistake[] | undefined =>
    forms.get(hex) ?? (mayBeDamaged ? damage.find(Buffer.from(hex, 'hex')) : undefined);
  const attempts = keys
    .flatMap((key) => algorithms.map((algorithm) => ({ key, algorithm })))
    .filter(({ algorithm }) => possible.has(algorithm.value.size))
    .map(({ key, algorithm }) => ({
      mistakes: [...key.mistakes, ...algorithm.mistakes],
      sign: (text: Buffer) => algorithm.value.sign(key.value, text),
    }))
    .sort((a, b) => a.mistakes.length - b.mistakes.length);
  return {
    match(text, mostMistakes) {
      const bytes = Buffer.from(text);
      for (const { mistakes, sign } of attempts) {
        if (mistakes.length > mostMistakes) return undefined;
        const form = findForm(sign(bytes));
        if (form) return [...mistakes, ...form];
      }
      return undefined;
    },
    mostTextMistakes: possible.has(hashSizes.sha256[0]) ? 2 : attempts.length > 0 ? 1 : 0,
    certain: [],
    notes: listNotes(lengths),
  };
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
