import { describe, expect, it } from 'vitest';
import {
  countCommentLines,
  findUnclearPhrases,
  readPassages,
} from '../../scripts/findUnclearPhrases.mjs';
import { unclearPhrases } from '../../scripts/plainEnglish.mjs';

/** Returns the phrases that are found in a file, each with its line. */
const find = (file: string, source: string) =>
  findUnclearPhrases(file, source).map(({ line, phrase }) => `${line}: ${phrase}`);

/** Returns the phrases that are found in a comment. */
const findIn = (sentence: string) =>
  findUnclearPhrases('a.ts', `// ${sentence}`).map(({ phrase }) => phrase);

describe('unclearPhrases', () => {
  /** One sentence for each phrase of the word list, with the phrase. */
  const examples: readonly (readonly [phrase: string, sentence: string])[] = [
    ['hears', 'The listener hears of each change.'],
    ['tells', 'The handler tells the page the state.'],
    ['told', 'The page is told of its order.'],
    ['is said', 'The error is said in the log.'],
    ['says', 'The message says the reason.'],
    ['answers', 'The function answers the price.'],
    ['not answer', 'The server does not answer.'],
    ['asks of', 'The page asks of the backend a price.'],
    ['asked', 'The service was asked twice.'],
    ['whoever', 'The policy accepts whoever calls.'],
    ['Whatever', 'Whatever the page sends, the policy decides.'],
    ['who waits', 'A caller who waits is released.'],
    ['who comes', 'A visitor who comes later is queued.'],
    ['who knows', 'A shopper who knows the URL opens it.'],
    ['stands in', 'The amount stands in the field.'],
    ['stands for', 'The bar stands for the button.'],
    ['stands twice', 'The header stands twice.'],
    ['stands beside', 'The widget stands beside the list.'],
    ['what becomes of', 'The card shows what becomes of the order.'],
    ['lets go', 'The hook lets go of the frame.'],
    ['knows of', 'The store knows of two orders.'],
    ['Nobody', 'Nobody reads the value.'],
    ['for who', 'The limit differs for who is signed in.'],
    ['an own', 'Each tab has an own stream.'],
    ['is no', 'The value is no number.'],
    ['are no', 'The orders are no duplicates.'],
    ['nothing is', 'When the list is empty, nothing is recorded.'],
    ['nothing when', 'The hook returns nothing when it is idle.'],
    ['which is none', 'The state, which is none, is skipped.'],
    ['not to be', 'The key is not to be logged.'],
    ['is had', 'The lease is had by one instance.'],
    ['There is no', 'There is no route for this path.'],
    ['of its own', 'The test has a database of its own.'],
    ['of their own', 'The pages have clients of their own.'],
    ['at it', 'The worker is still at it.'],
    ['so many', 'The queue holds so many calls.'],
    ['so much', 'The price rises by so much.'],
    ['all that', 'The file has all that the page needs.'],
    ['as it is', 'The body is sent as it is.'],
    ['as it stands', 'The text is signed as it stands.'],
    ['by itself', 'The stream reconnects by itself.'],
    ['comes back to', 'The shopper comes back to the page.'],
    ['comes with', 'The order comes with its reference.'],
    ['has come', 'The response has come late.'],
    ['goes on', 'The sync goes on after the error.'],
    ['gives up', 'The client gives up after three attempts.'],
    ['made of', 'The page is made of three parts.'],
    ['for good', 'The stream is closed for good.'],
    ['for whom', 'The shopper for whom it was signed pays.'],
    ['those that', 'The store deletes those that expired.'],
    ['what createX makes of', 'The option is what createX makes of your key.'],
    ['what the service lists', 'The tracker reads what the service lists.'],
  ];

  it.each(examples)('finds "%s"', (phrase, sentence) => {
    const found = findIn(sentence);
    expect(found.some((each) => each.startsWith(phrase) || phrase.includes(each))).toBe(true);
  });

  it('has an example for each pattern', () => {
    const sentences = examples.map(([, sentence]) => sentence);
    const unused = unclearPhrases.filter(
      (each) =>
        !sentences.some((sentence) => findUnclearPhrases('a.md', sentence, [each]).length > 0),
    );
    expect(unused.map(([pattern]) => pattern.source)).toEqual([]);
  });

  it.each([
    'Creates an order tracker. Webhooks can be lost, so it also polls the order list.',
    'Returns the orders that finished in the range, or undefined when the list is empty.',
    'Retries the request with exponential backoff and jitter until it times out.',
    'Throws when an option is missing, because the handler cannot verify the signature.',
    'The heartbeat keeps proxies from closing an idle stream that is no longer used.',
    'The server must respond within three seconds, or the circuit breaker opens.',
    'Two instances share a lease, so each change is delivered at least once.',
    'What happened to my order?',
    'Validates the amount and formats it as a decimal string with at most two digits.',
    'The dialog locks the scrolling of the page and restores the focus when it closes.',
  ])('accepts "%s"', (sentence) => {
    expect(findIn(sentence)).toEqual([]);
  });
});

describe('findUnclearPhrases', () => {
  it('reports line, kind, phrase and advice', () => {
    expect(findUnclearPhrases('a.ts', "const a = 1;\nconst text = 'The page hears it.';")).toEqual([
      { line: 2, kind: 'text', phrase: 'hears', instead: 'receives, is called with' },
    ]);
  });

  it('finds phrases across the line breaks of comments', () => {
    expect(find('a.ts', '/**\n * The stream of\n * its own.\n */')).toEqual(['2: of its own']);
    expect(find('a.ts', 'run();\n// The stream of\n// its own.')).toEqual(['2: of its own']);
    expect(find('a.yml', '# The stream of\n# its own.\na: 1')).toEqual(['1: of its own']);
    expect(find('a.php', '<?php\n// The stream of\n// its own.')).toEqual(['2: of its own']);
  });

  it('does not join comments that code or an empty line separates', () => {
    expect(find('a.ts', '// The stream of\nrun();\n// its own.')).toEqual([]);
    expect(find('a.ts', '// The stream of\n\n// its own.')).toEqual([]);
    expect(find('a.ts', '// The stream of\n//\n// its own.')).toEqual([]);
    expect(find('a.md', '## The stream of\n\nits own text')).toEqual([]);
  });

  it('finds phrases at the start of a sentence', () => {
    expect(find('a.ts', '/** Tells the page. Answers its state. */')).toEqual([
      '1: Tells',
      '1: Answers',
    ]);
    expect(find('a.md', 'The SO MANY test.')).toEqual([]);
  });

  it('ignores code in back quotes, but accepts it as the noun of a phrase', () => {
    expect(find('a.ts', '// Calls `answers.hears()` once.')).toEqual([]);
    expect(find('a.ts', '// Calls `answers and\n// hears` once.')).toEqual([]);
    expect(find('a.ts', "const text = 'The option `answers` must be a list.';")).toEqual([]);
    expect(find('a.ts', 'const text = `The option \\`answers\\` must be a list.`;')).toEqual([]);
    expect(find('a.md', 'It is what `list` shows.')).toEqual(['1: what `list` shows']);
    expect(find('a.md', 'There is `null` no more.')).toEqual([]);
  });

  it('ignores URLs', () => {
    expect(find('a.md', 'See https://shop.example/what/answers/told for more.')).toEqual([]);
  });

  it('reports the lines of the source', () => {
    const lines = [
      "const emoji = '🎨 …';",
      '/* It is told. */',
      'const text = `A page ${read(',
      "  'a',",
      ')} that is told it.\\n\\n It',
      'is told.`;',
    ];
    expect(find('a.ts', lines.join('\n'))).toEqual(['2: told', '5: told', '6: told']);
    expect(find('a.ts', lines.join('\r\n'))).toEqual(['2: told', '5: told', '6: told']);
    expect(find('a.md', '\n```\ntold\n```\n\n| it | is told |')).toEqual(['6: told']);
    expect(find('a.json', '{\n  "a": "The\\npage is told."\n}')).toEqual(['2: told']);
  });

  it('accepts another word list', () => {
    const phrases = [[/\bfoo bar\b/g, 'baz']] as const;
    expect(findUnclearPhrases('a.md', 'A foo\nbar, a foo bar.', phrases)).toMatchObject([
      { line: 1, phrase: 'foo bar', instead: 'baz' },
      { line: 2, phrase: 'foo bar', instead: 'baz' },
    ]);
  });
});

describe('readPassages of a module', () => {
  const texts = (source: string) =>
    readPassages('a.tsx', source)
      .filter(({ kind }) => kind === 'text')
      .map(({ text }) => text.replaceAll('\0', ''));

  it('returns strings, templates and JSX of at least three words', () => {
    expect(texts("a('one two three', 'one two', 'one-two/three.four');")).toEqual([
      'one two three',
    ]);
    expect(texts(`a(\`the \${name} of it\`, \`\${a} of \${b} it\`);`)).toEqual([
      `the \${____} of it`,
    ]);
    expect(texts('a(<p title="one two three">four five {six} seven</p>);')).toEqual([
      'one two three',
    ]);
    expect(texts('a(<p>four five six</p>);')).toEqual(['four five six']);
  });

  it('replaces escapes', () => {
    expect(texts(String.raw`a('it\'s one\ntwo three');`)).toEqual(["it's one  two three"]);
  });

  it.each([
    ['an import declaration', "import x from './what it makes of';"],
    ['an export declaration', "export * from './what it makes of';"],
    ['a dynamic import', "import('./what it makes of');"],
    ['the type of an import', "type X = import('./what it makes of').X;"],
    ['an object key', "const x = { 'what it makes of': 1 };"],
    ['a property name', "x['what it makes of'];"],
    ['a string type', "type X = 'what it makes of';"],
    ['an enum member', "enum X { 'what it makes of' = 1 }"],
    ['a regular expression', 'const x = /what it makes of/;'],
    ['a tagged template', 'sql`what it makes of`;'],
    ['a class name', '<p className="what it makes of" />;'],
  ])('ignores %s', (_, source) => {
    expect(texts(source)).toEqual([]);
  });

  it('returns the string in a computed key and in an argument', () => {
    expect(texts("const x = { [f('one two three')]: 1 };")).toEqual(['one two three']);
  });

  it('reads modules with and without types', () => {
    for (const name of ['a.js', 'a.jsx', 'a.mjs', 'a.cjs', 'a.d.mts', 'a.ts', 'a.tsx'])
      expect(find(name, '/** It is told. */')).toEqual(['1: told']);
  });

  it('throws when a module cannot be parsed', () => {
    expect(() => readPassages('a.ts', 'const = 1;')).toThrow(/^a\.ts: /);
  });
});

describe('readPassages of a comment', () => {
  it('ignores the code of TSDoc', () => {
    const lines = [
      '/**',
      ' * Reads a@example.com, as told.',
      ' *',
      ' * @param {{ told: string }} answers - It is told.',
      ' * @param said - A {@link told}.',
      ' * @returns {told} It is told.',
      ' * @example',
      ' * const answers = told();',
      ' * @throws When it is told.',
      ' * ```ts',
      ' * told();',
      ' * ```',
      ' */',
    ];
    expect(find('a.mjs', lines.join('\n'))).toEqual(['2: told', '4: told', '6: told', '9: told']);
  });

  it.each(['a.css', 'a.php', 'a.go', 'a.jsonc'])('finds comments, but not globs, in %s', (file) => {
    expect(find(file, '"**/told/**" "https://told"\n/* It is\n told. */')).toEqual(['3: told']);
  });

  it.each(['a.sh', 'a.yml', 'a.toml'])(
    'finds comments, but not hashes in strings, in %s',
    (file) => {
      expect(find(file, '#!told\na: "# told" # It is told.')).toEqual(['2: told']);
    },
  );

  it('counts the lines with a letter', () => {
    expect(countCommentLines('a.ts', '/**\n * One.\n *\n * Two.\n */\nx(); // Three.\n// -')).toBe(
      3,
    );
  });
});

describe('readPassages of a document', () => {
  it('ignores the code blocks of Markdown', () => {
    expect(find('a.md', '```ts\ntold\n```\n\n  ~~~\n  told\n  ~~~\n')).toEqual([]);
    expect(find('a.md', '````\n```\ntold\n```\n````\n\ntold')).toEqual(['7: told']);
    expect(find('a.md', '```\ntold')).toEqual([]);
  });

  it('ignores tags and addresses, but not the text of links and comments', () => {
    expect(find('a.md', '<Card title="told" />\n<!-- is told -->')).toEqual(['2: told']);
    expect(find('a.md', '[what](told.md) **it** is')).toEqual(['1: what](told.md) **it** is']);
    expect(find('a.md', '- so\n- many')).toEqual([]);
  });

  it('ignores imports and exports of MDX', () => {
    expect(find('a.mdx', "import {\n  told,\n} from './told';\n\n<A b={() => told} />\n")).toEqual(
      [],
    );
    expect(find('a.mdx', '# A\n\nimport is told\n')).toEqual([]);
    expect(find('a.md', 'export is told\n')).toEqual(['1: told']);
  });

  it('reads the text of HTML', () => {
    expect(find('a.html', '<p>so</p><p>many</p><style>told</style>')).toEqual([]);
    expect(find('a.html', '<p>so <b>many</b> <code>told</code></p>')).toEqual(['1: so <b>many']);
  });

  it('reads the values of JSON', () => {
    expect(find('a.json', '{ "it is told": "it is told", "a": "told" }')).toEqual(['1: told']);
  });

  it('returns no passages for an unknown type of file', () => {
    expect(readPassages('a.png', 'It is told.')).toEqual([]);
  });
});
