import { readFileSync } from 'node:fs';
import type { Documents } from './documents.js';
import { type Guide, readGuides, toSummary } from './guides.js';

const read = (path: string) => readFileSync(path, 'utf8');

const formatLink = (title: string, path: string, summary: string) =>
  `- [${title}](${path}): ${summary}`;

const repository = 'https://github.com/partner-ramp/react';

const formatGuides = (guides: readonly Guide[]) =>
  guides.map(({ name, title, summary }) => formatLink(title, `docs/${name}.md`, summary));

function formatSections(guides: readonly Guide[]): string[] {
  const groups = [...new Set(guides.map(({ group }) => group))];
  return groups.map((group) => {
    const members = guides.filter((guide) => guide.group === group);
    return `## ${group}\n\n${formatGuides(members).join('\n')}`;
  });
}

/**
 * Lists the pages of the API reference in the order of its index. The package does not include these pages, because its
 * declarations contain the same text.
 */
function formatReference(): string {
  const rows = read('docs/api/README.md').matchAll(/^\| \[`(.+?)`\]\((.+?)\) \| (.+?) \|$/gm);
  const links = [...rows].map(([, path = '', file, summary = '']) =>
    formatLink(path, `${repository}/blob/HEAD/docs/api/${file}`, toSummary(summary)),
  );
  return `## API reference\n\n${links.join('\n')}`;
}

/**
 * Returns llms.txt: an overview with links, in the format of https://llmstxt.org. The links to guides are relative, so
 * that readers of an installed package get the guides for that version.
 */
function formatLlms(): string {
  const { name, description } = JSON.parse(read('package.json'));
  const intro = `# ${name}\n\n> ${description}`;
  return `${[intro, ...formatSections(readGuides()), formatReference()].join('\n\n')}\n`;
}

export const formatLlmsFiles = (): Documents => ({
  'llms.txt': formatLlms(),
});
