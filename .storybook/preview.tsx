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

/**
 * The URL of the static widget. It is relative to BASE_URL, because a built Storybook can be served from any folder.
 */
const widgetUrl = new URL(`${import.meta.env.BASE_URL}widget`, location.href).href;

const withShop: Decorator = (Story, { globals }) => {
  const { code: language, dir, messages } = findLanguage(globals);
  // Set language and scheme on the document, as a page does: dialogs are outside the story's element.
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

/** Keeps a documentation page from scrolling while the stories on it run and focus elements. */
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
    // The initial handlers are those of a shop with a working backend. They survive the reset between stories.
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
      description: 'Language and direction of the texts',
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
    // A violation that axe finds fails the story's test.
    a11y: { test: 'error' },
    docs: {
      // Show each story in its own frame. In one page, the stories would share the backend's responses, the colour
      // scheme and the single open dialog.
      story: { inline: false, height: '220px' },
      // Remove the spies on callbacks from the shown code, because readers do not need them.
      source: { transform: (code: string) => code.replace(/\n +on[A-Z]\w*=\{.*\}/g, '') },
      // Remove the @example: its JSX would be parsed as HTML, and each story shows its code anyway.
      extractComponentDescription: (component: Component) =>
        extractComponentDescription(component).replace(/@example[\s\S]*/, ''),
    },
    options: {
      storySort: {
        // The same order as in scripts/docs/guides.ts. It cannot be imported, because Storybook reads this list
        // without running the file.
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
