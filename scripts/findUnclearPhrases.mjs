import { parseSync } from 'vite';
import { unclearPhrases } from './plainEnglish.mjs';

/** @typedef {{ kind: 'comment' | 'text' | 'prose', line: number, text: string }} Passage English of a file. */

const minimumWords = 3;
const isSentence = (text) => (text.match(/[A-Za-z]{2,}/g) ?? []).length >= minimumWords;

/** Replaces all but line breaks with spaces, so that lines and columns keep their places. */
const blank = (text) => text.replace(/[^\n]/g, ' ');

/** Removes the decoration of comments: slashes, stars and their indentation. */
const stripDecoration = (comment) =>
  comment
    .replace(/(^|\n)[ \t]*(?:\/\*\*|\/\*|\/\/|\*(?!\/)|#)/g, (match) => blank(match))
    .replace(/\*\//g, '  ');

const lineOf = (source, offset) => source.slice(0, offset).split('\n').length;

/** Joins line comments that follow each other, because a sentence may continue in the next one. */
function joinLineComments(source, comments) {
  const joined = [];
  for (const { start, end } of comments) {
    const last = joined.at(-1);
    const between = last ? source.slice(last.end, start) : '';
    const follows = last && source.startsWith('//', last.start) && source.startsWith('//', start);
    if (follows && /^[ \t]*\r?\n[ \t]*$/.test(between)) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

/** Calls `visit` with each node of a syntax tree. */
function walk(node, visit) {
  if (Array.isArray(node)) for (const item of node) walk(item, visit);
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const value of Object.values(node)) walk(value, visit);
  }
}

/** Returns the comments of a module, and its texts: literals, templates and JSX of at least three words. */
function readModule(file, source) {
  const { program, comments } = parseSync(file, source);
  const passages = joinLineComments(source, comments).map(({ start, end }) => ({
    kind: 'comment',
    line: lineOf(source, start),
    text: stripDecoration(source.slice(start, end)),
  }));
  const add = (node, text) => {
    if (isSentence(text)) passages.push({ kind: 'text', line: lineOf(source, node.start), text });
  };
  walk(program, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node, node.value);
    if (node.type === 'JSXText') add(node, node.value);
    if (node.type === 'TemplateLiteral')
      add(node, node.quasis.map(({ value }) => value.cooked ?? '').join('_'));
  });
  return passages;
}

/** Returns the comments of a language that has no parser here. */
const readComments = (pattern) => (_, source) =>
  joinLineComments(
    source,
    [...source.matchAll(pattern)].map(({ index, 0: text }) => ({
      start: index,
      end: index + text.length,
    })),
  ).map(({ start, end }) => ({
    kind: 'comment',
    line: lineOf(source, start),
    text: stripDecoration(source.slice(start, end)),
  }));

/** Returns Markdown without code, imports, tags and the addresses of links. */
const readMarkdown = (_, source) => [
  {
    kind: 'prose',
    line: 1,
    text: source
      .replace(/^([ \t]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm, blank)
      .replace(/`[^`\n]*`/g, blank)
      .replace(/^(?:import|export) [^\n]*$/gm, blank)
      .replace(/\]\([^)\s]*\)/g, blank)
      .replace(/<!--|-->|<[^>]*>/g, blank),
  },
];

const readHtml = (_, source) => [
  {
    kind: 'text',
    line: 1,
    text: source.replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/g, blank),
  },
];

/** Returns the sentences of a JSON file. */
const readJson = (_, source) =>
  [...source.matchAll(/"(?:[^"\\]|\\.)*"/g)]
    .filter(({ 0: text }) => isSentence(text) && text.includes(' '))
    .map(({ index, 0: text }) => ({ kind: 'text', line: lineOf(source, index), text }));

const slashComments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;
const readers = [
  [/\.(?:tsx?|mjs)$/, readModule],
  [/\.(?:css|php|go|jsonc)$/, readComments(slashComments)],
  [/\.(?:sh|ya?ml|toml)$/, readComments(/^[ \t]*#(?!!)[^\n]*/gm)],
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

/** Joins white space, and hides code in back quotes. Returns the text with the offset of each character. */
function normalize(text) {
  const plain = text.replace(/`[^`]*`/g, (code) => code.replace(/[^\n`]/g, '_'));
  let joined = '';
  const offsets = [];
  for (const [offset, character] of [...plain.split('')].entries()) {
    const next = /\s/.test(character) ? ' ' : character;
    if (next === ' ' && joined.endsWith(' ')) continue;
    joined += next;
    offsets.push(offset);
  }
  return { joined, offsets };
}

/**
 * Finds the phrases of the word list in a file.
 *
 * @returns {{ line: number, kind: Passage['kind'], phrase: string, instead: string }[]} In the order of the file.
 */
export function findUnclearPhrases(file, source, phrases = unclearPhrases) {
  const found = [];
  for (const { kind, line, text } of readPassages(file, source)) {
    const { joined, offsets } = normalize(text);
    for (const [pattern, instead] of phrases)
      for (const match of joined.matchAll(new RegExp(pattern.source, `${pattern.flags}g`)))
        found.push({
          line: line + lineOf(text, offsets[match.index]) - 1,
          kind,
          phrase: match[0].trim(),
          instead,
        });
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Counts the lines of comments that hold a letter. */
export const countCommentLines = (file, source) =>
  readPassages(file, source)
    .filter(({ kind }) => kind === 'comment')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => /[A-Za-z]/.test(line)).length;
