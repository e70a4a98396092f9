import type { Decorator, Preview } from '@storybook/react-vite';
import { setupWorker } from 'msw/browser';
import { mswLoader } from 'msw-storybook-addon/csf3';
import { type Component, extractComponentDescription } from 'storybook/internal/docs-tools';
import { RampProvider } from '../src/index.js';
import '../src/styles.css';
import { findLanguage, languages } from '../test/support/demo/languages.js';
import { rampBackend } from '../test/support/demo/rampBackend.js';
import { checkOtherScheme } from './checkOtherScheme.js';
import './preview.css';

/** The address of the static widget; a built Storybook may live in any folder. */
const widgetUrl = new URL(`${import.meta.env.BASE_URL}widget`, location.href).href;

const withShop: Decorator = (Story, { globals }) => {
  const { code: language, dir, messages } = findLanguage(globals);
  // On the document, as a page does it: dialogs stand outside of the story's own element.
  Object.assign(document.documentElement, { lang: language, dir });
  document.documentElement.style.colorScheme = globals.scheme;
  return (
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp" messages={messages} language={language}>
      <main className="story-page">
        <div className="story-column">
          <Story />
        </div>
      </main>
    </RampProvider>
  );
};

/** On a documentation page many stories click at once: without this it would follow each focus down. */
function preventScrollOnFocus() {
  const page = window.frameElement?.ownerDocument.location.search;
  if (new URLSearchParams(page).get('viewMode') !== 'docs') return;
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function (options) {
    focus.call(this, { ...options, preventScroll: true });
  };
}

const preview: Preview = {
  beforeAll: preventScrollOnFocus,
  afterEach: checkOtherScheme,
  tags: ['autodocs'],
  decorators: [withShop],
  loaders: [
    // What the worker starts with outlives the reset between stories: a shop whose backend works.
    mswLoader(async () => {
      const worker = setupWorker(...rampBackend());
      await worker.start({
        quiet: true,
        serviceWorker: { url: `${import.meta.env.BASE_URL}mockServiceWorker.js` },
        onUnhandledRequest({ url }, print) {
          if (new URL(url).pathname.includes('/api/')) print.error();
        },
      });
      return worker;
    }),
  ],
  globalTypes: {
    scheme: {
      description: 'Colour scheme of the page',
      toolbar: {
        title: 'Scheme',
        dynamicTitle: true,
        items: [
          { value: 'light', title: 'Light', icon: 'sun' },
          { value: 'dark', title: 'Dark', icon: 'moon' },
        ],
      },
    },
    language: {
      description: 'Language of the texts, and the direction that goes with it',
      toolbar: {
        title: 'Language',
        icon: 'globe',
        dynamicTitle: true,
        items: Object.entries(languages).map(([value, { name, dir }]) => ({
          value,
          title: name,
          right: dir,
        })),
      },
    },
  },
  initialGlobals: { scheme: 'light', language: 'en' },
  parameters: {
    layout: 'fullscreen',
    // A fault that axe finds fails the story's test.
    a11y: { test: 'error' },
    docs: {
      // A frame for each story: they share one page otherwise, and with it the backend's answers,
      // the colour scheme and the one dialog that may be open.
      story: { inline: false, height: '220px' },
      // Without the spies that watch the callbacks: nobody writes them.
      source: { transform: (code: string) => code.replace(/\n +on[A-Z]\w*=\{.*\}/g, '') },
      // Without its @example: the JSX in there is taken for HTML, and each story shows its own code.
      extractComponentDescription: (component: Component) =>
        extractComponentDescription(component).replace(/@example[\s\S]*/, ''),
    },
    options: {
      storySort: {
        // The order of scripts/docs/guides.ts. Storybook reads it here without running this file.
        order: [
          'Introduction',
          'Guides',
          [
            'Overview',
            'Getting started',
            'Backend',
            'Sandbox',
            'Displays',
            'Quotes',
            'NFT checkout',
            'Connected wallets',
            'Theming',
            'Orders',
            'Deployment',
            'Backends and hosts',
            'Security',
            'Troubleshooting',
            'Errors',
            'Upgrading',
          ],
          'Components',
          'Reference',
          ['Parameters', 'Signing', 'HTTP', 'Partner API'],
        ],
      },
    },
  },
};

export default preview;
