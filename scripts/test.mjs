// npm test: runs every check in order. `npm test -- node browser` runs only the named Vitest projects.

import { ensureInstalled } from './install.mjs';
import { chooseProjects, maxWorkersFlag, runChecks, runScript } from './runChecks.mjs';

const steps = [
  { name: 'lint', run: () => runScript('lint') },
  { name: 'build', run: () => runScript('build') },
  { name: 'example', run: () => runScript('build:example'), needs: ['build'] },
  { name: 'types', run: () => runScript('typecheck'), needs: ['build'] },
  { name: 'knip', run: () => runScript('knip'), needs: ['build'] },
];

/** Tests of rendering, effects and hydration. npm run test:long runs all browser tests with React 18. */
const react18Tests = [
  ...['button/OnRampButton', 'button/OnRampButton.dialog', 'button/OnRampButton.inline'],
  ...['nft/NftCheckout', 'provider/RampProvider', 'checkout/onStatusChange'],
  ...['unmountCleanup', 'conformance', 'darkMode'],
  ...['quote/QuotePreview', 'quote/QuotePreview.button', 'quote/QuotePreview.hydration'],
  ...['quote/hooks/useCurrencies', 'quote/hooks/useQuote', 'status/CheckoutStatus'],
].map((name) => `test/react/${name}.browser.tsx`);

/** The projects run one by one, because a browser and a build compete for the cores of a small machine. */
const projects = [
  { name: 'node', parts: ['node', 'isolated'], needs: ['build'], args: [maxWorkersFlag] },
  { name: 'stores', needs: ['build'], args: [maxWorkersFlag] },
  { name: 'browser', needs: ['chromium'] },
  { name: 'react18', needs: ['chromium', 'react-18'], args: react18Tests },
  { name: 'storybook', needs: ['chromium'], config: '.storybook/vitest.config.ts' },
  {
    name: 'packaging',
    // The size limits in every bundler, and one complete shop. npm run test:consumers runs the rest.
    parts: ['packaging', 'consumers', 'examples'],
    needs: ['chromium', 'build', 'consumer-bundlers', 'consumer-examples'],
    args: [
      maxWorkersFlag,
      ...['test/packaging', 'test/consumers/bundlers/sizes', 'test/consumers/examples'],
    ],
  },
  { name: 'e2e', needs: ['chromium', 'build', 'example'] },
];

const names = process.argv.slice(2);
const chosen = chooseProjects(projects, names);

ensureInstalled();
// Named projects are for development. They run against the last build.
await runChecks({ steps: names.length ? [] : steps, projects: chosen });
