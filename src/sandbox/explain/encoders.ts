/** An encoder of URLs that signers use, with the characters that it leaves as they are besides letters and digits. */
interface Encoder {
  /** How it differs from `encodeURIComponent`, after "with". */
  readonly words: string;
  readonly encode: (text: string) => string;
}

function createEncoder(unencoded: string, space: '+' | '%20', isLower = false) {
  const codes = new Map([...unencoded].map((character) => [character, character]));
  codes.set(' ', space);
  const encodeCharacter = (character: string) => {
    const known = codes.get(character);
    if (known !== undefined) return known;
    const code = [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .map((each) => (isLower ? each : each.toUpperCase()))
      .join('');
    codes.set(character, code);
    return code;
  };
  return (text: string) => text.replace(/[^A-Za-z0-9]/gu, encodeCharacter);
}

/** The encoders of other languages and libraries. They agree on letters, digits, `-`, `_` and `.`. */
export const otherEncoders: readonly Encoder[] = [
  {
    words: "!'()* encoded too, as rawurlencode of PHP and EscapeDataString of C# do",
    encode: createEncoder('-_.~', '%20'),
  },
  {
    words: "+ for spaces and !'()~ encoded, as URLSearchParams and URLEncoder of Java do",
    encode: createEncoder('-_.*', '+'),
  },
  {
    words: "+ for spaces and !'()* encoded, as QueryEscape of Go and quote_plus of Python do",
    encode: createEncoder('-_.~', '+'),
  },
  {
    words: "+ for spaces and !'()*~ encoded, as urlencode of PHP does",
    encode: createEncoder('-_.', '+'),
  },
  { words: '/ left as it is, as quote of Python does', encode: createEncoder('-_.~/', '%20') },
  {
    words: '+ for spaces and lower-case hexadecimal digits, as HttpUtility.UrlEncode of .NET does',
    encode: createEncoder('-_.!*()', '+', true),
  },
  {
    words: '+ for spaces, as WebUtility.UrlEncode of .NET does',
    encode: createEncoder('-_.!*()', '+'),
  },
  { words: 'lower-case hexadecimal digits', encode: createEncoder("-_.!~*'()", '%20', true) },
  {
    words: "lower-case hexadecimal digits and !'()* encoded too",
    encode: createEncoder('-_.~', '%20', true),
  },
  { words: '+ for spaces', encode: createEncoder("-_.!~*'()", '+') },
  {
    words: 'the separators of a URL left as they are, as encodeURI does',
    encode: createEncoder("-_.!~*'();/?:@&=+$,#", '%20'),
  },
];

/** Decodes percent-encoding, or returns `undefined` if it is malformed. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
