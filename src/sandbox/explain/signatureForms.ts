import { decodePercent } from './encoders.js';
import type { MessageKind } from './signedMessage.js';
import type { Mistake } from './textMistakes.js';

/** The bytes that a received signature may stand for, with what is wrong about its form. */
export interface SignatureForm {
  readonly bytes: Buffer;
  readonly mistakes: readonly Mistake[];
}

const standardForm =
  'Encode the bytes of the signature as standard base64, with + and /, with its = and without line breaks.';
const bytesFirst =
  'Encode the bytes of the signature, not its text: most libraries have an option for raw output.';

const toBase64 = (bytes: Buffer) => bytes.toString('base64');
const ofHex = {
  id: 'signature-hex',
  what: 'The signature is hexadecimal, not base64.',
  fix: standardForm,
};
const ofUrl = {
  id: 'signature-base64url',
  what: 'The signature is base64url, with - and _, not base64.',
  fix: standardForm,
};
const withoutPadding = {
  id: 'signature-padding',
  what: 'The = at the end of the signature is missing.',
  fix: standardForm,
};
const base64OfHex = {
  id: 'signature-base64-of-hex',
  what: 'The signature is the base64 of its hexadecimal text.',
  fix: bytesFirst,
};
const base64Twice = {
  id: 'signature-base64-twice',
  what: 'The signature was encoded as base64 twice.',
  fix: bytesFirst,
};
const bytesAsText = {
  id: 'signature-bytes-as-text',
  what: 'The bytes of the signature were read as text before they were encoded.',
  fix: bytesFirst,
};

/** A change of the received text that undoes a mistake, or leaves a text without this mistake as it is. */
interface Repair {
  readonly id: string;
  readonly what: string;
  readonly fix: string;
  readonly repair: (text: string) => string;
}

const listRepairs = (kind: MessageKind): readonly Repair[] => [
  kind === 'widget-url'
    ? {
        id: 'signature-encoded-twice',
        what: 'The signature was percent-encoded twice.',
        fix: 'Encode it once. URLSearchParams and http_build_query already do it.',
        repair: decodeTwice,
      }
    : {
        id: 'signature-percent-encoded',
        what: 'The signature in the header is percent-encoded.',
        fix: 'Only the signature of a widget URL is percent-encoded. Put plain base64 into the header.',
        repair: decodeTwice,
      },
  {
    id: 'signature-prefixed',
    what: 'There is a name before the signature, such as sha256=.',
    fix: 'Send the signature alone.',
    repair: (text) => text.replace(/^(?:(?:hmac-)?sha-?256|signature|v1)\s*[=:]\s*/i, ''),
  },
  {
    id: 'signature-quoted',
    what: 'The signature is in quotes.',
    fix: 'Send the signature without quotes.',
    // The closing one is missing if the end was cut off.
    repair: (text) => text.replace(/^(["'])(.*?)\1?$/s, '$2'),
  },
  {
    id: 'signature-not-encoded',
    what: 'The signature was not percent-encoded: each + in it became a space.',
    fix: 'Percent-encode the signature in the URL: + is %2B, / is %2F, = is %3D.',
    repair: (text) => text.replaceAll(' ', '+'),
  },
  {
    id: 'signature-line-breaks',
    what: 'The base64 of the signature has line breaks.',
    fix: 'Encode the signature without line breaks: base64 -w0, or NO_WRAP.',
    repair: (text) => text.replace(/\\[rnt]|[\r\n\t]/g, ''),
  },
];

function decodeTwice(text: string): string {
  return /%[0-9a-f]{2}/i.test(text) ? (decodePercent(text) ?? text) : text;
}

/** A received signature: what it may stand for, and its text without what was put around it. */
export interface ReceivedSignature {
  readonly text: string;
  /** What was wrong around the text. */
  readonly mistakes: readonly Mistake[];
  /** The form without mistakes comes first, if the signature has it. None if it is not an encoding of bytes. */
  readonly forms: readonly SignatureForm[];
}

export function readSignature(signature: string, kind: MessageKind): ReceivedSignature {
  const mistakes: Mistake[] = [];
  let text = signature;
  const repairs = listRepairs(kind).map(({ repair, ...mistake }) => ({ repair, mistake }));
  // One repair may uncover another mistake: a name before the signature that stands in quotes.
  for (let before: string | undefined; before !== text; ) {
    before = text;
    for (const { repair, mistake } of repairs) {
      const repaired = repair(text);
      if (repaired !== text && !mistakes.includes(mistake)) mistakes.push(mistake);
      text = repaired;
    }
  }
  const forms: SignatureForm[] = [];
  const add = (bytes: Buffer, form?: Mistake) => {
    forms.push({ bytes, mistakes: form ? [...mistakes, form] : mistakes });
  };
  if (/^(?:[0-9a-f]{2}){16,}$/i.test(text)) add(Buffer.from(text, 'hex'), ofHex);
  const bytes = Buffer.from(text, 'base64');
  const canonical = toBase64(bytes);
  const bare = canonical.replace(/=+$/, '');
  const inUrl = bytes.toString('base64url');
  if (text === canonical) add(bytes);
  else if (text === bare && inUrl !== bare) add(bytes, withoutPadding);
  else if (text.replace(/=+$/, '') === inUrl && inUrl !== bare) add(bytes, ofUrl);
  else if (text === bare)
    add(bytes, {
      ...withoutPadding,
      what: 'The = at the end of the signature is missing, as in base64url.',
    });
  else return { text, mistakes, forms };
  for (const [inner, form] of listInnerForms(bytes)) add(inner, form);
  return { text, mistakes, forms };
}

/** The forms of a signature that was encoded as text, and then again as base64. */
function* listInnerForms(bytes: Buffer): Generator<[bytes: Buffer, form: Mistake]> {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) return;
  if (/^(?:[0-9a-f]{2}){16,}$/i.test(text)) yield [Buffer.from(text, 'hex'), base64OfHex];
  const twice = Buffer.from(text, 'base64');
  if (twice.length >= 16 && toBase64(twice) === text) yield [twice, base64Twice];
  if ([...text].every((character) => character.charCodeAt(0) < 256))
    yield [Buffer.from(text, 'latin1'), bytesAsText];
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

interface Encoding {
  readonly encode: (bytes: Buffer) => string;
  /** The mistake that this encoding is. */
  readonly form?: Mistake;
  /** Whether a text may be the start of one in this encoding. It spares thousands of comparisons. */
  readonly fits: (text: string) => boolean;
}

const decodeStart = (text: string) =>
  Buffer.from(text.slice(0, -(text.length % 4) || undefined), 'base64');
const startsIn = (characters: RegExp) => (text: string) =>
  characters.test(decodeStart(text).toString('latin1'));

/** The ways to encode a signature. What was damaged afterwards cannot be decoded, only compared. */
const encodings: readonly Encoding[] = [
  { encode: toBase64, fits: () => true },
  {
    encode: (bytes) => bytes.toString('hex'),
    form: ofHex,
    fits: (text) => /^[\da-f]+$/.test(text),
  },
  {
    encode: (bytes) => bytes.toString('hex').toUpperCase(),
    form: ofHex,
    fits: (text) => /^[\dA-F]+$/.test(text),
  },
  {
    encode: (bytes) => bytes.toString('base64url'),
    form: ofUrl,
    fits: (text) => /[-_]/.test(text),
  },
  {
    encode: (bytes) => toBase64(Buffer.from(bytes.toString('hex'))),
    form: base64OfHex,
    fits: startsIn(/^[\da-f]+$/),
  },
  {
    encode: (bytes) => toBase64(Buffer.from(toBase64(bytes))),
    form: base64Twice,
    fits: startsIn(/^[A-Za-z\d+/]+=*$/),
  },
  {
    encode: (bytes) => toBase64(Buffer.from(bytes.toString('latin1'))),
    form: bytesAsText,
    // The last character may be cut off.
    fits: (text) => !decodeStart(text).toString('utf8').slice(0, -1).includes('\ufffd'),
  },
];

/** The shortest text that is taken for the start of a signature. A shorter one could be it by chance. */
const SHORTEST_START = 20;

/** Finds what happened to a signature after it was encoded, if that cannot be undone. */
export interface DamageFinder {
  /** Whether a signature of this many bytes may have become the received one. */
  readonly canComeFrom: (size: number) => boolean;
  /** Returns what happened to a signature, if it became the received one. */
  readonly find: (bytes: Buffer) => readonly Mistake[] | undefined;
}

export function createDamageFinder({ text, mistakes }: ReceivedSignature): DamageFinder {
  const isLower = text === text.toLowerCase();
  const possible = encodings
    .filter(({ fits }) => isLower || fits(text))
    .map(({ encode, form }) => ({ encode, mistakes: form ? [...mistakes, form] : mistakes }));
  return {
    // Bytes of 255 have the longest texts.
    canComeFrom: (size) =>
      text.length >= SHORTEST_START &&
      possible.some(({ encode }) => {
        const { length } = encode(Buffer.alloc(size, 255));
        return text.length < length || (isLower && text.length === length);
      }),
    find(bytes) {
      for (const { encode, mistakes: before } of possible) {
        const whole = encode(bytes);
        const sent = isLower ? whole.toLowerCase() : whole;
        if (!sent.startsWith(text)) continue;
        const rest = whole.slice(text.length);
        const changes = [
          ...(/^=+$/.test(rest) ? [withoutPadding] : rest === '' ? [] : [cutOff]),
          ...(whole.startsWith(text) ? [] : [inLowerCase]),
        ];
        return [...before, ...changes];
      }
      return undefined;
    },
  };
}
