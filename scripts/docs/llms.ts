import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Documents } from './documents.js';
import { type Guide, readGuides, toSummary } from './guides.js';

const read = (path: string) => readFileSync(path, 'utf8');

const formatLink = (title: string, path: string, summary: string) =>
  `- [${title}](${path}): ${summary}`;

const formatGuides = (guides: readonly Guide[]) =>
  guides.map(({ name, title, summary }) => formatLink(title, `docs/${name}.md`, summary));

function formatSections(guides: readonly Guide[]): string[] {
  const groups = [...new Set(guides.map(({ group }) => group))];
  // Readers that need a short context may skip the section "Optional" (https://llmstxt.org).
  return groups.map((group) => {
    const members = guides.filter((guide) => guide.group === group);
    return `## ${group === 'Project' ? 'Optional' : group}\n\n${formatGuides(members).join('\n')}`;
  });
}

/** Lists the pages of the API reference in the order of its index. */
function formatReference(): string {
  const rows = read('docs/api/README.md').matchAll(/^\| \[`(.+?)`\]\((.+?)\) \| (.+?) \|$/gm);
  const links = [...rows].map(([, path = '', file, summary = '']) =>
    formatLink(path, `docs/api/${file}`, toSummary(summary)),
  );
  return `## API reference\n\n${links.join('\n')}`;
}

/**
 * Returns llms.txt: an overview with links, in the format of https://llmstxt.org. The links are relative, so that
 * they lead to the guides in the same package: a reader of an installed version must get the guides of that version.
 */
function formatLlms(): string {
  const { name, description } = JSON.parse(read('package.json'));
  const sections = formatSections(readGuides());
  const intro = `# ${name}\n\n> ${description}\n\nAll guides in one file: [llms-full.txt](llms-full.txt).`;
  const optional = sections.findIndex((section) => section.startsWith('## Optional'));
  return `${[intro, ...sections.toSpliced(optional, 0, formatReference())].join('\n\n')}\n`;
}

/**
 * Rewrites relative links, except in code, so that they are relative to the root of the repository, where
 * llms-full.txt is.
 */
const toRootLinks = (markdown: string, path: string): string =>
  markdown
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(
            /\]\((?![a-z]+:|#)([^)#]*)/g,
            (_, target) => `](${posix.join(posix.dirname(path), target)}`,
          ),
    )
    .join('');

/** Returns llms-full.txt: the README and all guides. */
function formatLlmsFull(): string {
  const paths = ['README.md', ...readGuides().map(({ name }) => `docs/${name}.md`)];
  const pages = paths.map((path) => {
    const text = read(path)
      .replace(/<!--[\s\S]*?-->\n*/g, '')
      .replace(/<picture>[\s\S]*?alt="(.*?)"[\s\S]*?<\/picture>/g, '(Picture: $1)');
    return `Source: ${path}\n\n${toRootLinks(text, path).trim()}\n`;
  });
  return pages.join('\n---\n\n');
}

export const formatLlmsFiles = (): Documents => ({
  'llms.txt': formatLlms(),
  'llms-full.txt': formatLlmsFull(),
});
