import { toId } from 'storybook/internal/csf';

const repository = 'https://github.com/partner-ramp/react/blob/HEAD';

/** The sources of the Storybook pages that show the guides, by path. */
const pages = import.meta.glob<string>('./*.mdx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const titles = new Map(
  Object.entries(pages).map(([path, page]) => [
    path.slice('./'.length, -'.mdx'.length),
    /<Meta title="(.+)"/.exec(page)?.[1] ?? '',
  ]),
);

/** Turns a link in a file of `docs` into a link to the guide's page in Storybook, or to the file on GitHub. */
export function toGuideLink(href: string): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const title = titles.get(path.replace(/\.md$/, ''));
  const hash = anchor ? `#${anchor}` : '';
  if (title) return `?path=/docs/${toId(title, 'docs')}${hash}`;
  return `${repository}/${path.startsWith('../') ? path.slice(3) : `docs/${path}`}${hash}`;
}
