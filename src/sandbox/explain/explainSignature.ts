import type { KeyObject } from 'node:crypto';
import { createHmacMatcher } from './matchHmac.js';
import { createRsaMatcher, type NamedPublicKey } from './matchRsa.js';
import type { NamedKey, SignatureMatcher } from './SignatureMatcher.js';
import type { SignedMessage } from './signedMessage.js';
import { buildText, listParts, type Recipe, type TextPart } from './signedText.js';
import {
  listDoubleMistakes,
  listOrders,
  listSingleMistakes,
  type Mistake,
  type TextCandidate,
} from './textMistakes.js';

interface SignedText {
  readonly text: string;
  /** Joined, they are the text. */
  readonly parts: readonly TextPart[];
}

/** The first place where two texts differ. */
interface TextDifference {
  /** The number of characters that are equal before it. */
  readonly at: number;
  /** What follows there, up to 24 characters. Empty at the end of the text. */
  readonly expected: string;
  readonly given: string;
}

export interface SignatureExplanation {
  readonly isRight: boolean;
  /** The mistakes that were made, in the signature or in the text of the signer. None if the mistake is unknown. */
  readonly mistakes: readonly Mistake[];
  /** What is certain beyond the mistakes. */
  readonly notes: readonly string[];
  /** The text that should have been signed. */
  readonly expected: SignedText;
  /** The text that was signed, or that of the signer, if it is known and is another one. */
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
  /** Keys of other environments and other purposes. */
  readonly otherSecrets?: readonly NamedKey[] | undefined;
  readonly otherPublicKeys?: readonly NamedPublicKey[] | undefined;
}

export interface ExplainOptions {
  /** The text that the signer has signed, if it is known. */
  readonly signerText?: string | undefined;
  /** Whether pairs of mistakes in the text are tried too, which are thousands of texts. @default true */
  readonly triesPairs?: boolean | undefined;
}

/**
 * Finds why a signature is wrong: tries the known mistakes of signers, singly and in pairs. A mistake is named only if
 * the signature is exactly the one that it leads to, so an unknown mistake is never named wrongly. The result contains
 * neither a key nor a right signature.
 */
export function explainSignature(
  message: SignedMessage,
  keys: KnownKeys,
  { signerText, triesPairs = true }: ExplainOptions = {},
): SignatureExplanation {
  const matcher = createMatcher(message, keys);
  const text = buildText(message.right);
  const expected = toSignedText(message.right);
  const mask = createMask(keys);
  const isRight = matcher.match(text, 0)?.length === 0;
  const { mistakes, notes, signed } =
    signerText !== undefined
      ? explainText(message, matcher, text, signerText)
      : isRight
        ? noFinding
        : findMistakes(message, matcher, text, triesPairs);
  const isOther = signed && signed.text !== text;
  return {
    isRight,
    mistakes,
    notes,
    expected: mask(expected),
    ...(isOther && {
      signed: mask(signed),
      difference: findDifference(mask(expected).text, mask(signed).text),
    }),
  };
}

interface Finding {
  readonly mistakes: readonly Mistake[];
  readonly notes: readonly string[];
  readonly signed?: SignedText;
}
const noFinding: Finding = { mistakes: [], notes: [] };

function createMatcher(message: SignedMessage, keys: KnownKeys): SignatureMatcher {
  const { kind, signature } = message;
  const { secretKey, apiPublicKey, webhookPublicKey, partnerId } = keys;
  const { otherSecrets = [], otherPublicKeys = [] } = keys;
  if (kind === 'widget-url') {
    if (!secretKey) throw new TypeError('The SecretKey is missing.');
    return createHmacMatcher(signature, kind, secretKey, partnerId, otherSecrets);
  }
  const [key, other] =
    kind === 'webhook'
      ? [webhookPublicKey, { name: 'the APIPrivateKey', key: apiPublicKey }]
      : [apiPublicKey, { name: "the service's key for webhooks", key: webhookPublicKey }];
  if (!key) throw new TypeError(`The public key of the ${kind} is missing.`);
  const others = other.key ? [{ name: other.name, key: other.key }] : [];
  const secrets = secretKey ? [{ name: 'the SecretKey', value: secretKey }] : [];
  return createRsaMatcher(
    signature,
    kind,
    key,
    [...others, ...otherPublicKeys],
    [...secrets, ...otherSecrets],
  );
}

/** Tries the known mistakes, those that need the fewest first. */
function findMistakes(
  message: SignedMessage,
  matcher: SignatureMatcher,
  text: string,
  triesPairs: boolean,
): Finding {
  const base: TextCandidate = { mistakes: [], recipe: message.right, text };
  const singles = matcher.mostTextMistakes > 0 ? listSingleMistakes(message) : [];
  const attempts: readonly (readonly [Iterable<TextCandidate>, number])[] = [
    [[base], 1],
    [singles, 0],
    [[base], 2],
    [singles, 1],
    ...(triesPairs && matcher.mostTextMistakes > 1
      ? ([
          [listDoubleMistakes(message), 0],
          [listOrders(message), 0],
        ] as const)
      : []),
  ];
  for (const [candidates, mostMistakes] of attempts)
    for (const candidate of candidates) {
      const further = matcher.match(candidate.text, mostMistakes);
      if (further)
        return {
          mistakes: [...candidate.mistakes, ...further],
          notes: [],
          signed: toSignedText(candidate.recipe),
        };
    }
  return { mistakes: matcher.certain, notes: matcher.notes };
}

/**
 * Explains a signature whose text is known: whether the text is the mistake, or the key, or both. The signature may be
 * right: then the text is that of a program that verifies it.
 */
function explainText(
  message: SignedMessage,
  matcher: SignatureMatcher,
  text: string,
  signerText: string,
): Finding {
  const isRight = matcher.match(text, 0)?.length === 0;
  // Files end with a line break that was not signed, unless the signature says otherwise.
  const whole = matcher.match(signerText, 2);
  const given = whole ? signerText : signerText.replace(/\r?\n$/, '');
  const further = isRight ? [] : (whole ?? matcher.match(given, 2));
  const candidate = given === text ? undefined : findCandidate(message, given);
  const mistakes = [...(candidate?.mistakes ?? []), ...(further ?? matcher.certain)];
  const signed = candidate
    ? toSignedText(candidate.recipe)
    : { text: given, parts: [{ kind: 'text' as const, text: given }] };
  const notes = [
    given === text
      ? 'The text is the one that should be signed.'
      : isRight
        ? 'The signature is right, but not that of the given text.'
        : further && 'The signature is that of the given text.',
    further
      ? undefined
      : 'The signature is not that of the given text with a known key: look at the key too.',
  ];
  return { mistakes, notes: notes.filter((note) => note !== undefined), signed };
}

function findCandidate(message: SignedMessage, text: string): TextCandidate | undefined {
  for (const list of [
    listSingleMistakes(message),
    listDoubleMistakes(message),
    listOrders(message),
  ])
    for (const candidate of list) if (candidate.text === text) return candidate;
  return undefined;
}

const toSignedText = (recipe: Recipe): SignedText => ({
  text: buildText(recipe),
  parts: listParts(recipe),
});

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
