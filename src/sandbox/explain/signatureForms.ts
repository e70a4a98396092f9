import { type Mistake, withFix } from './Mistake.js';
import { decodePercent, type MessageKind } from './signedMessage.js';

/** A wrong form in which a signature was sent. */
export interface SignatureForm extends Mistake {
  /** The signature that it encodes. */
  readonly bytes: Buffer;
}

/** Lists the wrong forms in which a received signature may have been sent. */
export function listForms(signature: string, kind: MessageKind): SignatureForm[] {
  return [...anywhere, kind === 'widget-url' ? inUrl : inHeader].flatMap(({ undo, ...mistake }) => {
    const text = undo(signature);
    const bytes = text === signature ? undefined : decodeBase64(text);
    return bytes ? [{ ...mistake, bytes }] : [];
  });
}

/** Decodes standard base64 with padding. Returns undefined for any other text. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
}

const standard = withFix(
  'Encode the bytes of the signature as standard base64, with + and /, with its = and without line breaks.',
);
const bytesFirst = withFix(
  'Encode the bytes of the signature, not its text: most libraries have an option for raw output.',
);
const alone = withFix('Send the signature alone.');
const encodeOnce = withFix(
  'Percent-encode the signature once in the URL: + is %2B, / is %2F, = is %3D. URLSearchParams and http_build_query already do it.',
);
const plain = withFix(
  'Only the signature of a widget URL is percent-encoded. Put plain base64 into the header.',
);

const readBase64 = (text: string) => Buffer.from(text, 'base64').toString('latin1');
const fromHex = (text: string) =>
  /^(?:[0-9a-f]{2}){16,}$/i.test(text) ? Buffer.from(text, 'hex').toString('base64') : '';
const pad = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, '=');

/** Each form, with a function that turns it into standard base64. */
const anywhere = [
  standard('signature-hex', 'The signature is hexadecimal, not base64.', { undo: fromHex }),
  standard('signature-padding', 'The = at the end of the signature is missing.', { undo: pad }),
  standard('signature-base64url', 'The signature is base64url, with - and _, not base64.', {
    undo: (text: string) => pad(text.replaceAll('-', '+').replaceAll('_', '/')),
  }),
  standard('signature-line-breaks', 'The base64 of the signature has line breaks.', {
    undo: (text: string) => text.replace(/[\r\n]|\\[rn]/g, ''),
  }),
  bytesFirst('signature-base64-of-hex', 'The signature is the base64 of its hexadecimal text.', {
    undo: (text: string) => fromHex(readBase64(text)),
  }),
  alone('signature-prefixed', 'There is a name before the signature, such as sha256=.', {
    undo: (text: string) => text.replace(/^[\w-]+[=:] */, ''),
  }),
  encodeOnce(
    'signature-not-encoded',
    'The signature was not percent-encoded: each + in it became a space.',
    {
      undo: (text: string) => text.replaceAll(' ', '+'),
    },
  ),
];
const inUrl = encodeOnce('signature-encoded-twice', 'The signature was percent-encoded twice.', {
  undo: decodePercent,
});
const inHeader = plain('signature-percent-encoded', 'The signature is percent-encoded.', {
  undo: decodePercent,
});

export const cutOff: Mistake = {
  id: 'signature-cut-off',
  what: 'The end of the signature is missing.',
  fix: 'Send the whole signature, 44 characters, percent-encoded: a column or a variable may be too short.',
};

/**
 * Returns whether a text is the start of the right signature. A text of fewer than 20 characters could match by chance.
 */
export const isCutOff = (signature: string, right: Buffer) =>
  signature.length >= 20 && right.toString('base64').startsWith(signature);
