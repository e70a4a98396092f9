import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readGuides, toSummary } from '../../scripts/docs/guides.js';
import { formatLlms, formatLlmsFull, toRootLinks } from '../../scripts/docs/llms.js';

const read = (path: string) => readFileSync(path, 'utf8');

describe('llms.txt', () => {
  it('is up to date (npm run docs)', () => {
    expect(read('llms.txt')).toBe(formatLlms());
  });

  it('has a title, a summary, and sections of links, as llmstxt.org defines', () => {
    const [title, summary, , ...sections] = read('llms.txt').trimEnd().split('\n\n');
    expect(title).toBe('# @partner-ramp/react');
    expect(summary).toMatch(/^> \w/);
    expect(sections.length).toBeGreaterThan(0);
    for (const [i, section] of sections.entries())
      expect(section).toMatch(
        i % 2 ? /^(?:- \[[^\]]+\]\((?:docs\/)?[\w/.-]+\.(?:md|txt)\): .+\.\n?)+$/ : /^## [\w ]+$/,
      );
  });

  it('links to every guide and every page of the API reference', () => {
    const text = read('llms.txt');
    for (const { name } of readGuides()) expect(text).toContain(`](docs/${name}.md)`);
    for (const [, file] of read('docs/api/README.md').matchAll(/\]\((\w[\w-]*\.md)\)/g))
      expect(text).toContain(`](docs/api/${file})`);
  });
});

describe('llms-full.txt', () => {
  it('is up to date (npm run docs)', () => {
    // A diff of all guides would hide the message.
    expect(read('llms-full.txt') === formatLlmsFull()).toBe(true);
  });
});

describe('toRootLinks', () => {
  it.each([
    ['[Orders](orders.md#sync)', '[Orders](docs/orders.md#sync)'],
    ['[Changes](../CHANGELOG.md)', '[Changes](CHANGELOG.md)'],
    ['[below](#sync)', '[below](#sync)'],
    ['[site](https://kysely.dev)', '[site](https://kysely.dev)'],
    ['```ts\nroutes[name](request);\n```', '```ts\nroutes[name](request);\n```'],
  ])('turns %j into %j', (from, to) => {
    expect(toRootLinks(from, 'docs/backend.md')).toBe(to);
  });
});

describe('toSummary', () => {
  it.each([
    ['One sentence. Another one.', 'One sentence.'],
    [
      'It runs on [Kysely](https://kysely.dev) 0.28 or\n0.29. More.',
      'It runs on Kysely 0.28 or 0.29.',
    ],
    ['Every error is a `RampError`:', 'Every error is a `RampError`.'],
  ])('returns the first sentence of %j', (paragraph, summary) => {
    expect(toSummary(paragraph)).toBe(summary);
  });
});
