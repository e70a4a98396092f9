import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Documents } from './documents.js';

export interface Guide {
  /** The name of the file in `docs`, without `.md`. */
  readonly name: string;
  readonly group: string;
  readonly title: string;
  /** One line that tells readers what the page is for. */
  readonly summary: string;
  readonly text: string;
}

/** The purpose of each guide, by group and name. The overview uses the same order. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    'getting-started':
      'Build a page with a buy button and a backend, from an empty folder to the first delivered order.',
    backend: 'Write the policy that decides what is signed, and deliver paid orders.',
    sandbox: 'Run the whole service on your machine, for development and tests.',
    'command-line': 'Create keys for tests, and check a shop, with one command.',
  },
  'The page': {
    displays: 'Open the checkout in a dialog, in the page, in a window, or in place of the page.',
    quotes: 'Show prices, fees and limits before the checkout.',
    'nft-checkout': 'Sell NFTs that are minted or transferred, at prices that your backend sets.',
    wallets: 'Choose the wallet that fits the coin, and refuse a wrong one before anybody pays.',
    ownership: 'Sell only to a wallet whose owner signed a message (SIWE), and keep the proof.',
    theming: 'Match the components to your shop: colours, dark mode, your own elements, languages.',
    'without-react': 'Sell from plain HTML, Vue or another framework, with a custom element.',
    apps: 'Open the checkout from React Native, Expo, Telegram, or the browser inside another app.',
    testing: 'Test your page and your backend in Jest, Vitest and Playwright, without a network.',
  },
  Operation: {
    orders: 'Find every paid order, compare it with what was signed, and deliver it.',
    history:
      'Let shoppers find each checkout again, and continue the ones that wait for a payment.',
    'going-live': 'Check a shop before its first shopper, with a list and one command.',
    'second-day':
      'Add what a running shop needs next: a minimum, countries, limits, reminders, alarms, environments, new keys.',
    deployment: 'Run the backend in production: database, several instances, restarts, monitoring.',
    observability: 'Get spans and metrics with OpenTelemetry, and set the six alarms that matter.',
    hosts:
      'Mount the handler in Express, Fastify, Koa, Hono, Nest, React Router, Astro, TanStack Start, Bun or Deno.',
    nextjs:
      'Sell from a Next.js app: every file for Vercel with PostgreSQL, or for your own server.',
    serverless:
      'Run the backend in AWS Lambda, Cloud Functions, Cloudflare Workers or other functions.',
    security: 'See what protects your shop, and which part of it is yours.',
    'personal-data': 'Know what is kept about a person, and erase it.',
  },
  Help: {
    errors: 'Go from an error code, a warning or a symptom to its cause and the fix.',
  },
  Reference: {
    parameters: 'Look up a query parameter of the widgets: its format, and whether it is signed.',
    signing: 'Sign URLs and requests, and verify webhooks, in any language, with test vectors.',
    'other-languages':
      'Write a backend in PHP, Go, Python or any other language, and test it with one command.',
    http: 'Look up the routes, responses and errors between the components and a backend.',
    'partner-api': 'Read currencies, prices and orders of the service, with exact decimals.',
  },
};
/** The group of every page that `groups` does not list. */
const otherGroup = 'Reference';

/** Returns the pages of `docs` in the order of their groups. */
export function readGuides(): readonly Guide[] {
  const listed = Object.values(groups).flatMap(Object.keys);
  const names = readdirSync('docs').filter((file) => file.endsWith('.md'));
  const others = names.map((file) => file.slice(0, -3)).filter((name) => !listed.includes(name));
  return Object.entries(groups).flatMap(([group, members]) =>
    [...Object.keys(members), ...(group === otherGroup ? others : [])]
      .filter((name) => existsSync(`docs/${name}.md`))
      .map((name) => readGuide(name, group)),
  );
}

function readGuide(name: string, group: string): Guide {
  const text = readFileSync(`docs/${name}.md`, 'utf8');
  const [, title, paragraph] = /^# (.+)\n+([\s\S]+?)(?:\n\n|$)/.exec(text) ?? [];
  if (!title || !paragraph)
    throw new Error(`docs/${name}.md must begin with a heading and a paragraph.`);
  const summary = groups[group]?.[name] ?? toSummary(paragraph);
  return { name, group, title, summary, text };
}

/** Returns the first sentence of a paragraph, without links. */
export function toSummary(paragraph: string): string {
  const plain = paragraph.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');
  const sentence = /^.+?[.:](?= [A-Z`]|$)/.exec(plain)?.[0] ?? plain;
  return sentence.replace(/[.:]$/, '').concat('.');
}

/** Returns the Storybook title of a guide, which determines its place in the sidebar. */
export const toStorybookTitle = ({ group, title }: Pick<Guide, 'group' | 'title'>): string =>
  `${group === 'Reference' ? 'Reference' : 'Guides'}/${title}`;

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

/** Returns the Storybook pages that show the guides. */
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
