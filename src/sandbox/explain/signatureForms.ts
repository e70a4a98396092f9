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
    repair: (text) => text.replace(/^(["'])(.*)\1$/s, '$2'),
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
    repair: (text) => text.replace(/[\r\n\t]/g, ''),
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
  for (const { repair, ...mistake } of listRepairs(kind)) {
    const repaired = repair(text);
    if (repaired !== text) mistakes.push(mistake);
    text = repaired;
  }
  const forms: SignatureForm[] = [];
  const add = (bytes: Buffer, id?: string, what = '', fix = standardForm) => {
    forms.push({ bytes, mistakes: id ? [...mistakes, { id, what, fix }] : mistakes });
  };
  if (/^(?:[0-9a-f]{2}){16,}$/i.test(text))
    add(
      Buffer.from(text, 'hex'),
      'signature-hex',
      'The signature is hexadecimal, not base64.',
      standardForm,
    );
  const bytes = Buffer.from(text, 'base64');
  const canonical = bytes.toString('base64');
  const withoutPadding = canonical.replace(/=+$/, '');
  const alphabet = bytes.toString('base64url');
  if (text === canonical) add(bytes);
  else if (text === withoutPadding && alphabet !== withoutPadding)
    add(bytes, 'signature-padding', 'The = at the end of the signature is missing.');
  else if (text.replace(/=+$/, '') === alphabet && alphabet !== withoutPadding)
    add(bytes, 'signature-base64url', 'The signature is base64url, with - and _, not base64.');
  else if (text === withoutPadding)
    add(
      bytes,
      'signature-padding',
      'The = at the end of the signature is missing, as in base64url.',
    );
  else return { text, mistakes, forms };
  for (const inner of listInnerForms(bytes)) add(inner.bytes, inner.id, inner.what, bytesFirst);
  return { text, mistakes, forms };
}

/** The forms of a signature that was encoded as text, and then again as base64. */
function* listInnerForms(bytes: Buffer): Generator<{ bytes: Buffer; id: string; what: string }> {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) return;
  if (/^(?:[0-9a-f]{2}){16,}$/i.test(text))
    yield {
      bytes: Buffer.from(text, 'hex'),
      id: 'signature-base64-of-hex',
      what: 'The signature is the base64 of its hexadecimal text.',
    };
  const twice = Buffer.from(text, 'base64');
  if (twice.length >= 16 && twice.toString('base64') === text)
    yield {
      bytes: twice,
      id: 'signature-base64-twice',
      what: 'The signature was encoded as base64 twice.',
    };
  if ([...text].every((character) => character.charCodeAt(0) < 256))
    yield {
      bytes: Buffer.from(text, 'latin1'),
      id: 'signature-bytes-as-text',
      what: 'The bytes of the signature were read as text before they were encoded.',
    };
}
