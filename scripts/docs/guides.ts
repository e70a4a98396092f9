import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Documents } from './documents.js';

/** A page of `docs`. */
export interface Guide {
  /** The name of the page's file, without `.md`. */
  readonly name: string;
  readonly group: string;
  readonly title: string;
  /** The first sentence of the page. */
  readonly summary: string;
  readonly text: string;
}

/** The groups of guides and the order of the guides in each group. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['getting-started', 'backend', 'sandbox'],
  'The page': ['displays', 'quotes', 'nft-checkout', 'wallets', 'theming', 'testing'],
  Operation: ['orders', 'deployment', 'hosts', 'security'],
  Help: ['troubleshooting', 'errors', 'upgrading'],
  Reference: ['parameters', 'signing', 'http', 'partner-api'],
  Project: ['service-interface', 'threats', 'glossary'],
};
/** The group of every page that `groups` does not list. */
const otherGroup = 'Reference';

/** Returns the pages of `docs` in the order of their groups. */
export function readGuides(): readonly Guide[] {
  const listed = Object.values(groups).flat();
  const names = readdirSync('docs').filter((file) => file.endsWith('.md'));
  const others = names.map((file) => file.slice(0, -3)).filter((name) => !listed.includes(name));
  return Object.entries(groups).flatMap(([group, members]) =>
    [...members, ...(group === otherGroup ? others : [])]
      .filter((name) => existsSync(`docs/${name}.md`))
      .map((name) => readGuide(name, group)),
  );
}

function readGuide(name: string, group: string): Guide {
  const text = readFileSync(`docs/${name}.md`, 'utf8');
  const [, title, paragraph] = /^# (.+)\n+([\s\S]+?)(?:\n\n|$)/.exec(text) ?? [];
  if (!title || !paragraph)
    throw new Error(`docs/${name}.md must begin with a heading and a paragraph.`);
  return { name, group, title, summary: toSummary(paragraph), text };
}

/** Returns the first sentence of a paragraph, without links. */
export function toSummary(paragraph: string): string {
  const plain = paragraph.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');
  const sentence = /^.+?[.:](?= [A-Z`]|$)/.exec(plain)?.[0] ?? plain;
  return sentence.replace(/[.:]$/, '').concat('.');
}

/** Returns the Storybook title of a guide, which determines its place in the sidebar. */
export const toStorybookTitle = ({ group, title }: Pick<Guide, 'group' | 'title'>): string =>
  `${group === 'Reference' || group === 'Project' ? 'Reference' : 'Guides'}/${title}`;

const formatPage = (title: string, script: string, text: string) => `\
{/* Written by npm run docs. */}
import { Meta } from '@storybook/addon-docs/blocks';
${script}import { Guide } from './Guide.tsx';

<Meta title="${title}" />

<Guide text={${text}} />
`;

function formatOverview(guides: readonly Guide[]): string {
  const groups = [...new Set(guides.map(({ group }) => group))].map((group) => {
    const members = guides.filter((guide) => guide.group === group);
    const links = members.map(({ name, title, summary }) => `- [${title}](${name}.md): ${summary}`);
    return `## ${group}\n\n${links.join('\n')}`;
  });
  return ['# Guides', ...groups].join('\n\n');
}

/** Returns the pages of Storybook that show the guides. */
export function formatGuidePages(): Documents {
  const guides = readGuides();
  const overview = JSON.stringify(formatOverview(guides));
  return Object.fromEntries([
    ['stories/guides/overview.mdx', formatPage('Guides/Overview', '', overview)],
    ...guides.map((guide) => {
      const script = `import text from '../../docs/${guide.name}.md?raw';\n`;
      const page = formatPage(toStorybookTitle(guide), script, 'text');
      return [`stories/guides/${guide.name}.mdx`, page];
    }),
  ]);
}
