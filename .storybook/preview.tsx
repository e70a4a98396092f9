import type { Decorator, Preview } from '@storybook/react-vite';
import { configure } from 'storybook/test';
import { forgetPurchases } from '../src/client/checkout/purchases.js';
import { getOpenedCheckouts, removeOpenedCheckout } from '../src/client/pageCheckouts.js';
import { RampProvider } from '../src/index.js';
import '../src/styles.css';
import { findLanguage, languages } from '../demo/languages.js';
import { checkOtherScheme } from './checkOtherScheme.js';
import { DocsPage } from './DocsPage.js';
import { getApi, loadBackend } from './mockBackend.js';
import './preview.css';
import { resolveScheme, schemes } from './scheme.js';
import { tidyArgTypes } from './tidyArgTypes.js';

// On a busy machine, the widget's page or a signature can take longer than the default of one second.
configure({ asyncUtilTimeout: 20_000 });

/**
 * The URL of the static widget. It is relative to BASE_URL, because a built Storybook can be served from any folder.
 */
const widgetUrl = new URL(`${import.meta.env.BASE_URL}widget`, location.href).href;

const withShop: Decorator = (Story, context) => {
  const { globals, viewMode } = context;
  const { code: language, dir, messages } = findLanguage(globals);
  const scheme = resolveScheme(globals.scheme);
  const isInDocs = viewMode === 'docs';
  if (!isInDocs) {
    // Set language and scheme on the document, as a page does: dialogs are outside the story's element.
    Object.assign(document.documentElement, { lang: language, dir });
    document.documentElement.style.colorScheme = scheme;
  }
  // A documentation page is in English, has its own `main`, and shows several stories.
  const Page = isInDocs ? 'div' : 'main';
  const own = isInDocs ? { lang: language, dir, style: { colorScheme: scheme } } : {};
  return (
    <RampProvider
      widgetUrl={widgetUrl}
      api={getApi(context)}
      messages={messages}
      language={language}
    >
      <Page className="story-page" {...own}>
        <div className="story-column">
          <Story />
        </div>
      </Page>
    </RampProvider>
  );
};

/** Keeps a documentation page from scrolling while the stories on it run and focus elements. */
function preventScrollOnFocus() {
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function (options) {
    const isInDocs = new URLSearchParams(location.search).get('viewMode') === 'docs';
    focus.call(this, isInDocs ? { ...options, preventScroll: true } : options);
  };
}

const icons = { system: 'browser', light: 'sun', dark: 'moon' } as const;
const titles = { system: 'System', light: 'Light', dark: 'Dark' };

const preview: Preview = {
  beforeAll: preventScrollOnFocus,
  // All stories share the page, which remembers the checkouts that it has opened, and those that may be open or paid.
  beforeEach(context) {
    forgetPurchases();
    const api = getApi(context);
    for (const reference of getOpenedCheckouts(api)) removeOpenedCheckout(api, reference);
  },
  afterEach: checkOtherScheme,
  decorators: [withShop],
  loaders: [loadBackend],
  argTypesEnhancers: [tidyArgTypes],
  globalTypes: {
    scheme: {
      description: 'Colour scheme of the page',
      toolbar: {
        title: 'Scheme',
        dynamicTitle: true,
        items: schemes.map((value) => ({ value, title: titles[value], icon: icons[value] })),
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
  initialGlobals: { scheme: 'system', language: 'en' },
  parameters: {
    layout: 'fullscreen',
    // A violation that axe finds fails the story's test.
    a11y: { test: 'error' },
    docs: {
      container: DocsPage,
      story: { inline: true },
      // Remove the spies on callbacks from the shown code, because readers do not need them.
      source: { transform: (code: string) => code.replace(/\n +on[A-Z]\w*=\{.*\}/g, '') },
    },
    options: {
      storySort: {
        // Keep the guides in the order of scripts/docs/guides.ts. This list cannot import that order, because Storybook
        // reads it without running the file.
        order: [
          'Introduction',
          'Components',
          [
            'OnRampButton',
            'CheckoutDialog',
            'CheckoutNote',
            'RampButton',
            'QuotePreview',
            'CheckoutStatus',
            'CheckoutHistory',
            'CheckoutInProgress',
            'NftCard',
            'NftCheckout',
            'Themes',
          ],
          'Guides',
          [
            'Overview',
            'Getting started',
            'Backend',
            'Sandbox',
            'Displays',
            'Quotes',
            'Order history',
            'NFT checkout',
            'Wallets',
            'Theming',
            'Unit tests',
            'Orders',
            'Deployment',
            'Backends and hosts',
            'Security',
            'Personal data',
            'Troubleshooting',
            'Errors',
          ],
          'Reference',
          ['Parameters', 'Signing', 'HTTP', 'Partner API'],
        ],
      },
    },
  },
};

export default preview;
