/**
 * The maximum number of names (references, wallets and so on) in one search. The server accepts twice as many texts,
 * because each name can have two spellings.
 */
const MAX_NAMES = 5;

/**
 * Extracts from a text what can be searched for: references, order numbers, wallets and transactions (also in the URL
 * of an explorer), and the tag of a shopper as the rows show it. Returns each in the spellings that the service may
 * use, such as a wallet with `0x`. If there are none, returns the text itself.
 */
export function parseSearch(text: string): readonly string[] {
  // Remove invisible characters, such as the direction marks that are copied along with right-to-left texts.
  const plain = text
    .replace(/\p{Cf}/gu, '')
    .replace(/\s*(?:…|\.{2,})\s*/g, '…')
    .trim();
  const whole = trimSigns(plain.replace(/\s/g, ''));
  if (isName(whole)) return toSpellings(whole);
  const words = plain.split(/[^\p{L}\p{N}_.…-]+/u).map((word) => word.replace(/^\.+|\.+$/g, ''));
  const tag = /·\s*([\w-]{6})(?![\w-])/.exec(plain)?.[1];
  const names = [...words.filter(isName), ...(tag ? [tag] : [])];
  const found = names.length > 0 || !/\s/.test(plain) ? names : words.filter(mayBeName);
  if (found.length === 0) return whole === '' ? [plain] : toSpellings(whole);
  return [...new Set([...new Set(found)].slice(0, MAX_NAMES).flatMap(toSpellings))];
}

/** Removes quotes, brackets, `#` and other signs around a text. */
const trimSigns = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}_…-]+|[^\p{L}\p{N}_…-]+$/gu, '');

const isHex = (text: string): boolean => /^[0-9a-f]+$/i.test(text);
const hasDigit = (text: string): boolean => /\d/.test(text);

/** Returns whether a word is a reference, order number, wallet or transaction, either whole or shortened. */
function isName(word: string): boolean {
  if (/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(word) || isBitcoin(word)) return true;
  const compact = word.replaceAll('-', '');
  if (isHex(compact) && [32, 40, 64].includes(compact.length)) return true;
  const [begin = '', end = ''] = word.split('…');
  if (end !== '')
    return (
      /^(?:0x)?[0-9a-z]{3,}…[0-9a-z]{3,}$/i.test(word) &&
      (/^(?:0x|bc1)/i.test(begin) ||
        (hasDigit(begin) && hasDigit(end)) ||
        isHexWithDigit(begin + end))
    );
  // A reference: 128 bits in base64url. Ordinary words of this length have no digit and no capital letter inside.
  return /^[\w-]{22}$/.test(word) && /\d|.[A-Z]/.test(word);
}

/** Returns whether a word is a Bitcoin address of a current wallet, which begins with `bc1`. */
const isBitcoin = (word: string): boolean => /^bc1[0-9a-z]{39,59}$/i.test(word);

const isHexWithDigit = (text: string): boolean => isHex(text) && hasDigit(text);

/**
 * Returns whether a word in a sentence may be a reference, order number, wallet or transaction that is cut off or has
 * another format.
 */
const mayBeName = (word: string): boolean =>
  /^(?:0x[0-9a-f]{3,}|bc1[0-9a-z]{3,})$/i.test(word) ||
  (/^[\w-]{8,}$/.test(word) && /(?:\d\D*){4}/.test(word));

/** Returns a name in the given spelling, and in the spelling that the service may use. */
function toSpellings(name: string): readonly string[] {
  if (/^[0-9a-f]+(?:-[0-9a-f]+)+$/i.test(name) && hasDigit(name))
    return [name.replaceAll('-', ''), name];
  const isPlainHex = /^[0-9a-f]{4,}(?:…[0-9a-f]+)?$/i.test(name) && hasDigit(name);
  // A name of 32 hex digits is an order number, which never begins with 0x.
  return isPlainHex && name.length !== 32 ? [`0x${name}`, name] : [name];
}

const KINDS = 'reference, order, wallet or transaction';

/**
 * Returns the kind of the searched texts for a message, such as `wallet`. If the kinds differ or are unknown, names all
 * kinds.
 */
export function guessKind(texts: readonly string[]): string {
  const kinds = new Set(texts.map(guessOne));
  const [kind = KINDS] = kinds;
  return kinds.size === 1 ? kind : KINDS;
}

function guessOne(text: string): string {
  const plain = text.replace(/\s/g, '');
  if (/^(?:0x)?[0-9a-f]{40}$/i.test(plain) || isBitcoin(plain)) return 'wallet';
  if (/^(?:0x)?[0-9a-f]{64}$/i.test(plain)) return 'transaction';
  if (/^[0-9a-f]{32}$/i.test(plain.replaceAll('-', ''))) return 'order number';
  if (/^[\w-]{22}$/.test(plain)) return 'reference';
  return KINDS;
}
