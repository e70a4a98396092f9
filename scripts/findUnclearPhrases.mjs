import { parseSync } from 'vite';
import { unclearPhrases } from './plainEnglish.mjs';

/**
 * A passage of English in a file. Its text has the length and the line breaks of the source from `start`.
 *
 * @typedef {{ kind: 'comment' | 'text' | 'prose', start: number, text: string }} Passage
 */

const MIN_WORDS = 3;
const isSentence = (text) =>
  text.split(/\s+/).filter((word) => /[A-Za-z]{2,}/.test(word)).length >= MIN_WORDS;

// Replacements keep the length and the line breaks of a text, so that positions stay correct.
/** Replaces a part that is not English with white space. */
const blank = (text) => text.replace(/[^\n]/g, ' ');
/** Replaces a name, so that phrases do not cross it. */
const mask = (text) => text.replace(/[^\n]/g, '_');
/** Replaces markup that separates no words. {@link normalize} removes it. */
const drop = (text) => text.replace(/[^\n]/g, '\0');

const lineOf = (source, offset) => source.slice(0, offset).split('\n').length;

const blankFences = (text) =>
  text.replace(/^[ \t]*(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?^[ \t]*\1[`~]*[ \t]*$|[\s\S]*)/gm, blank);

/**
 * Replaces code in back quotes with a word, because it can be the noun of a phrase. Code may continue in the next
 * line, but not in the next paragraph.
 */
const maskCode = (text) =>
  text.replace(/(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/g, (code) =>
    code.replace(/[^\n]/g, 'x'),
  );

/** Removes the decoration of comments: slashes, stars and their indentation. */
const stripDecoration = (comment) =>
  comment.replace(/(^|\n)[ \t]*(?:\/\*\*|\/\*|\/\/|\*(?!\/)|#)/g, blank).replace(/\*\//g, '  ');

/** Removes the parts of TSDoc that are code: types, names of parameters, links and examples. */
const blankTsdocCode = (text) =>
  text
    .replace(/(?<!\S)@example\b(?:(?!\n[ \t]*@\w)[\s\S])*/g, blank)
    .replace(/(?<=@\w+[ \t]+)\{(?:[^{}]|\{[^{}]*\})*\}/g, mask)
    .replace(/@(?:param|typeParam|template|property)[ \t_]+[\w.[\]=$]+/g, mask)
    .replace(/\{@link\s+[^}|\s]+/g, mask);

/** Joins line comments that follow each other, because a sentence may continue in the next one. */
function joinLineComments(source, comments) {
  const joined = [];
  for (const { start, end } of comments) {
    const last = joined.at(-1);
    const between = last ? source.slice(last.end, start) : '';
    const follows = ['//', '#'].some(
      (marker) => last && source.startsWith(marker, last.start) && source.startsWith(marker, start),
    );
    if (follows && /^[ \t]*\r?\n[ \t]*$/.test(between)) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

/** Creates the passages of a file's comments. */
const toComments = (source, comments) =>
  joinLineComments(source, comments).map(({ start, end }) => ({
    kind: 'comment',
    start,
    text: blankTsdocCode(blankFences(stripDecoration(source.slice(start, end)))),
  }));

/** Replaces escape sequences with their white space, or drops their backslash. */
const replaceEscapes = (text) =>
  text.replace(/\\(?:[nrtvf]|\r?\n|u00a0)|\\(?:u\{\w+\}|u\w{4}|x\w{2})|\\/g, (sequence) => {
    if (/^\\(?:[nrtvf\r\n]|u00a0)$/.test(sequence)) return blank(sequence);
    return sequence === '\\' ? '\0' : mask(sequence);
  });

/** The fields of syntax nodes that have a name or code instead of a text. */
const codeFields = {
  MemberExpression: 'property',
  TaggedTemplateExpression: 'quasi',
  TSEnumMember: 'id',
  TSLiteralType: 'literal',
  TSModuleDeclaration: 'id',
};
const isCode = (node, field) =>
  field === 'source' ||
  (field === 'key' && !node.computed) ||
  codeFields[node.type] === field ||
  (node.type === 'JSXAttribute' && /^(?:class|className|style|d)$/.test(node.name.name));

/** Calls `visit` with each node of a syntax tree that may have a text. */
function walk(node, visit) {
  if (Array.isArray(node)) for (const item of node) walk(item, visit);
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const [field, value] of Object.entries(node)) if (!isCode(node, field)) walk(value, visit);
  }
}

/** Returns the passage of a literal, a template or a JSX text, without quotes, escapes and expressions. */
function readText(source, node) {
  const quote = node.type === 'JSXText' ? 0 : 1;
  const start = node.start + quote;
  let text = source.slice(start, node.end - quote);
  for (const expression of node.expressions ?? []) {
    const [from, to] = [expression.start - start, expression.end - start];
    text = text.slice(0, from) + mask(text.slice(from, to)) + text.slice(to);
  }
  return { kind: 'text', start, text: node.type === 'JSXText' ? text : replaceEscapes(text) };
}

/**
 * Returns the comments of a module, and its texts: literals, templates and JSX of at least three words.
 *
 * @throws Error when the module cannot be parsed.
 */
function readModule(file, source) {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const passages = toComments(source, comments);
  walk(program, (node) => {
    const isString = node.type === 'Literal' && typeof node.value === 'string';
    if (!isString && node.type !== 'JSXText' && node.type !== 'TemplateLiteral') return;
    const passage = readText(source, node);
    if (isSentence(passage.text)) passages.push(passage);
  });
  return passages;
}

/** Creates a reader of comments and strings, for a language that has no parser here. */
function createTokenReader(comment) {
  const token = new RegExp(`(["'])((?:(?!\\1)[^\\\\\\n]|\\\\.)*)\\1|${comment.source}`, 'gm');
  return (_, source) => {
    const tokens = [...source.matchAll(token)];
    const comments = tokens.filter(([, quote]) => !quote);
    return [
      ...toComments(
        source,
        comments.map(({ index, 0: { length } }) => ({ start: index, end: index + length })),
      ),
      ...tokens
        .filter(([, quote, text]) => quote && isSentence(text))
        .map(({ index, 2: text }) => ({
          kind: 'text',
          start: index + 1,
          text: replaceEscapes(text),
        })),
    ];
  };
}

/** Returns Markdown without code, imports, tags, emphasis and the addresses of links. */
function readMarkdown(file, source) {
  const tag = /<!--|-->|<\/?[A-Za-z](?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}|[^"'{}>])*>/g;
  const text = maskCode(blankFences(source));
  const prose = /mdx$/.test(file)
    ? text.replace(/^(?:import|export) [\s\S]*?(?=\n[ \t]*\n|$(?!\n))/gm, blank)
    : text;
  return [
    {
      kind: 'prose',
      start: 0,
      text: prose
        .replace(tag, blank)
        .replace(/\]\([^)\s]*(?:\s"[^"]*")?\)/g, drop)
        .replace(/\[(?=\S)|\](?!:)|\*+(?=\S)|(?<=\S)\*+/g, drop),
    },
  ];
}

/** Returns the text of HTML. A bar separates blocks; inline tags separate no words. */
const readHtml = (_, source) => [
  {
    kind: 'text',
    start: 0,
    text: source
      .replace(/<(script|style|pre)\b[\s\S]*?<\/\1>/g, blank)
      .replace(/<code\b[\s\S]*?<\/code>/g, mask)
      .replace(/<!--|-->|<[^>]*>/g, (tag) =>
        /^<\/?(?:a|b|em|i|kbd|span|strong)\b/.test(tag) ? drop(tag) : blank(tag).replace(' ', '|'),
      ),
  },
];

/** Returns the values of a JSON file that are sentences. */
const readJson = (_, source) =>
  [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"(\s*:)?/g)]
    .filter(([, text, isKey]) => !isKey && isSentence(text))
    .map(({ index, 1: text }) => ({
      kind: 'text',
      start: index + 1,
      text: replaceEscapes(text),
    }));

const slashComments = /\/\*[\s\S]*?\*\/|(?<!\S)\/\/[^\n]*/;
const hashComments = /(?<!\S)#(?!!)[^\n]*/;
const readers = [
  [/\.[cm]?[jt]sx?$/, readModule],
  [/\.(?:css|php|go|jsonc)$/, createTokenReader(slashComments)],
  [/\.(?:sh|ya?ml|toml)$/, createTokenReader(hashComments)],
  [/\.mdx?$/, readMarkdown],
  [/\.html$/, readHtml],
  [/\.json$/, readJson],
];

/**
 * Returns the English passages of a file: comments, texts of at least three words, and prose.
 *
 * @param {string} file - Its path. The end of its name selects the language.
 * @param {string} source
 * @returns {Passage[]}
 */
export function readPassages(file, source) {
  const reader = readers.find(([pattern]) => pattern.test(file));
  return reader ? reader[1](file, source) : [];
}

/**
 * Joins white space, and hides code and URLs. An empty line becomes a line break, which phrases do not cross.
 *
 * @returns The text with the offset of each character.
 */
function normalize(text) {
  const plain = maskCode(text).replace(/\bhttps?:\/\/[^\s)>"']+/g, mask);
  let joined = '';
  const offsets = [];
  for (const { 0: part, index } of plain.matchAll(/\s+|[^\s\0]/g)) {
    joined += /\s/.test(part) ? (/\n[ \t\r\0]*\n/.test(part) ? '\n' : ' ') : part;
    offsets.push(index);
  }
  return { joined, offsets };
}

/** Returns the text with lower-case sentence starts, because most phrases of the list are in lower case. */
const lowerSentenceStarts = (text) =>
  text.replace(
    /((?:^|[.!?:|\n])[^A-Za-z]*)([A-Z])(?=[a-z]*\b)/g,
    (_, before, letter) => before + letter.toLowerCase(),
  );

/** Returns the first and the last position of each match, also of phrases that start a sentence. */
function findMatches(text, { source, flags }) {
  const pattern = new RegExp(source, `${flags.replace('g', '')}g`);
  const matches = [text, lowerSentenceStarts(text)].flatMap((each) => [...each.matchAll(pattern)]);
  return new Map(matches.map(({ index, 0: { length } }) => [index, index + length - 1]));
}

/**
 * Finds the phrases of the word list in a file.
 *
 * @returns {{ line: number, kind: Passage['kind'], phrase: string, instead: string }[]} In the order of the file.
 */
export function findUnclearPhrases(file, source, phrases = unclearPhrases) {
  const found = [];
  for (const { kind, start, text } of readPassages(file, source)) {
    const { joined, offsets } = normalize(text);
    for (const [pattern, instead] of phrases)
      for (const [first, last] of findMatches(joined, pattern)) {
        const [from, to] = [start + offsets[first], start + offsets[last] + 1];
        const phrase = source.slice(from, to).replace(/\s+(?:(?:\/\/|\*|#)\s+)*/g, ' ');
        found.push({ line: lineOf(source, from), kind, phrase: phrase.trim(), instead });
      }
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Counts the lines of comments that have a letter. */
export const countCommentLines = (file, source) =>
  readPassages(file, source)
    .filter(({ kind }) => kind === 'comment')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => /[A-Za-z]/.test(line)).length;
