import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Guide, readGuides } from './guides.js';

const folder = 'stories/guides';

/** Returns the title of a guide in Storybook: its place in the sidebar. */
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

/** Returns the pages of Storybook that show the guides, by the name of the file. */
export function formatGuidePages(): ReadonlyMap<string, string> {
  const guides = readGuides();
  const overview = JSON.stringify(formatOverview(guides));
  return new Map([
    ['overview.mdx', formatPage('Guides/Overview', '', overview)],
    ...guides.map((guide): [string, string] => {
      const script = `import text from '../../docs/${guide.name}.md?raw';\n`;
      return [`${guide.name}.mdx`, formatPage(toStorybookTitle(guide), script, 'text')];
    }),
  ]);
}

/** Returns the pages of the repository, by the name of the file. */
export function readGuidePages(): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.mdx'));
  return new Map(files.map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')]));
}

/** Writes the pages, and removes those of guides that were removed. */
export function writeGuidePages(): void {
  mkdirSync(folder, { recursive: true });
  for (const file of readGuidePages().keys()) rmSync(`${folder}/${file}`);
  for (const [file, text] of formatGuidePages()) writeFileSync(`${folder}/${file}`, text);
}
