import type { KeyObject } from 'node:crypto';
import type { Mistake } from './Mistake.js';
import { cutOff, decodeBase64, isCutOff, listForms } from './signatureForms.js';
import { type SignedMessage, type SignedText, writeText } from './signedMessage.js';
import { listTextMistakes } from './textMistakes.js';
import { createVerifier, type NamedKey, type NamedPublicKey, type Verifier } from './verifiers.js';

/** The first place where two texts differ. */
interface TextDifference {
  /** The number of equal characters before the difference. */
  readonly at: number;
  /** What follows there in the expected text, up to 24 characters. Empty at the end of the text. */
  readonly expected: string;
  readonly given: string;
}

export interface SignatureExplanation {
  readonly isRight: boolean;
  /** The mistake that was made. Given the signer's text, there may be two: one in the text, one in its signature. */
  readonly mistakes: readonly Mistake[];
  /** What else is certain, besides the mistakes. */
  readonly notes: readonly string[];
  /** The text that should have been signed. */
  readonly expected: SignedText;
  /** The text that was signed, or the signer's text, if it is known and differs from `expected`. */
  readonly signed?: SignedText;
  readonly difference?: TextDifference;
}

/** The keys with which a message may have been signed. */
export interface KnownKeys {
  readonly partnerId?: string | undefined;
  readonly secretKey?: string | undefined;
  /** Verifies requests of the partner. */
  readonly apiPublicKey?: KeyObject | undefined;
  readonly webhookPublicKey?: KeyObject | undefined;
  /** Keys for other environments and other purposes. */
  readonly otherSecrets?: readonly NamedKey[] | undefined;
  readonly otherPublicKeys?: readonly NamedPublicKey[] | undefined;
}

/**
 * Finds why a signature is wrong: one mistake of the text, the key, the algorithm, or the form of the signature. A
 * mistake is reported only if it produces exactly this signature, so an unknown mistake is never reported as a known
 * one. The result contains neither a key nor a correct signature.
 *
 * @param signerText - The text that the signer signed, or that a backend verified, if it is known.
 */
export function explainSignature(
  message: SignedMessage,
  keys: KnownKeys,
  signerText?: string,
): SignatureExplanation {
  const verifier = createVerifier(message.kind, keys);
  const expected = writeText(message);
  const signing = findSigning(message, verifier, expected.text);
  const isRight = signing?.length === 0;
  const { mistakes, notes, signed } =
    signerText !== undefined
      ? compareText(message, verifier, expected.text, isRight, signerText)
      : signing
        ? { mistakes: signing, notes: [] }
        : findTextMistake(message, verifier);
  const hide = createMask(keys);
  const shown = { isRight, mistakes, notes, expected: hide(expected) };
  if (!signed || signed.text === expected.text) return shown;
  const other = hide(signed);
  return { ...shown, signed: other, difference: findDifference(shown.expected.text, other.text) };
}

interface Finding {
  readonly mistakes: readonly Mistake[];
  readonly notes: readonly string[];
  readonly signed?: SignedText;
}

function findTextMistake(message: SignedMessage, verifier: Verifier): Finding {
  const bytes = decodeBase64(message.signature);
  const found =
    bytes && listTextMistakes(message).find(({ text }) => verifier.verify(text.text, bytes));
  return found
    ? { mistakes: [toMistake(found)], notes: [], signed: found.text }
    : { mistakes: [], notes: describeSignature(message, verifier) };
}

/** Compares the signer's text with the expected one, to tell whether the text, the signature or both are wrong. */
function compareText(
  message: SignedMessage,
  verifier: Verifier,
  expected: string,
  isRight: boolean,
  signerText: string,
): Finding {
  // A line break at the end usually comes from the file, so it counts only if the signature covers it.
  const whole = findSigning(message, verifier, signerText);
  const given = whole ? signerText : signerText.replace(/\r?\n$/, '');
  const signing = whole ?? findSigning(message, verifier, given);
  const found = listTextMistakes(message).find(({ text }) => text.text === given);
  const notes: string[] = [];
  if (given === expected) notes.push('The text is the one that should be signed.');
  else if (isRight) notes.push('The signature is right, but it was not made from the given text.');
  else if (signing?.length === 0)
    notes.push('The signature matches the given text, so the key is right.');
  else if (signing) notes.push('The signature was made from the given text.');
  if (!isRight && !signing) {
    const certain = describeSignature(message, verifier);
    notes.push('No known key makes this signature from the given text.');
    notes.push(...(certain.length > 0 ? certain : ['Look at the key too.']));
  }
  return {
    mistakes: [
      ...(found && given !== expected ? [toMistake(found)] : []),
      ...(isRight ? [] : (signing ?? [])),
    ],
    notes,
    signed: found?.text ?? { text: given, parts: [{ kind: 'text', text: given }] },
  };
}

/**
 * Returns a list of the mistake that led from the text to the signature. The list is empty if the signature is right,
 * and `undefined` if the mistake is unknown.
 */
function findSigning(
  { signature, kind }: SignedMessage,
  verifier: Verifier,
  text: string,
): readonly Mistake[] | undefined {
  const bytes = decodeBase64(signature);
  if (bytes && verifier.verify(text, bytes)) return [];
  const right = verifier.sign?.(text);
  const mistake =
    listForms(signature, kind).find((form) => verifier.verify(text, form.bytes)) ??
    (right && isCutOff(signature, right) ? cutOff : undefined) ??
    (bytes && verifier.mistakes.find((each) => each.verify(text, bytes)));
  return mistake && [toMistake(mistake)];
}

/** Drops the fields that only the search needs. */
const toMistake = ({ id, what, fix }: Mistake): Mistake => ({ id, what, fix });

/** Says what is certain about a signature whose text is unknown. */
function describeSignature(
  { signature, kind }: SignedMessage,
  { size, describe }: Verifier,
): string[] {
  const bytes = decodeBase64(signature);
  if (bytes?.length === size) return describe(bytes);
  const form = listForms(signature, kind).find((each) => each.bytes.length === size);
  if (form) return [`${form.what} ${form.fix}`, ...describe(form.bytes)];
  if (!bytes) return ['The signature is neither base64 nor hexadecimal.'];
  const characters = 4 * Math.ceil(size / 3);
  return [
    `The signature has ${bytes.length} bytes. A right one has ${size}, which are ${characters} characters of base64.`,
  ];
}

/** Returns where two different texts begin to differ. */
function findDifference(expected: string, given: string): TextDifference {
  const [a, b] = [[...expected], [...given]];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const show = (characters: readonly string[]) => characters.slice(at, at + 24).join('');
  return { at, expected: show(a), given: show(b) };
}

const MASK = '••••••••';

/** Returns a function that hides the secrets in a text, in case a parameter contains one by mistake. */
function createMask({ secretKey, otherSecrets = [] }: KnownKeys) {
  const secrets = [secretKey ?? '', ...otherSecrets.map(({ value }) => value)]
    .flatMap((secret) => [secret, secret.trim(), encodeURIComponent(secret)])
    .filter((secret) => secret.length >= 8);
  const hide = (text: string) =>
    secrets.reduce((result, secret) => result.replaceAll(secret, MASK), text);
  return ({ text, parts }: SignedText): SignedText => ({
    text: hide(text),
    parts: parts.map((part) => ({ ...part, text: hide(part.text) })),
  });
}
