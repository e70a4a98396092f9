import { describe, expect, test } from 'vitest';
import { buildPage, bundlerNames } from './buildPage.js';

const reason = /hold secret keys and run in a backend only, never in a page\. Move this import to/;

const entries = [
  ['@partner-ramp/react/server', 'createWidgetSigner'],
  ['@partner-ramp/react/server/express', 'toExpress'],
  ['@partner-ramp/react/server/node', 'toNodeHandler'],
  ['@partner-ramp/react/server/sql', 'sqlOrderStore'],
  ['@partner-ramp/react/sandbox', 'startSandbox'],
] as const;

const forms = {
  'uses an export of': (entry: string, name: string) =>
    `import { ${name} } from '${entry}';\nglobalThis.used = ${name};\n`,
  'has an unused import of': (entry: string, name: string) =>
    `import { ${name} } from '${entry}';\n`,
  'has a side-effect import of': (entry: string) => `import '${entry}';\n`,
  'imports later': (entry: string) => `globalThis.load = () => import('${entry}');\n`,
};

describe.each(bundlerNames)('%s', (bundler) => {
  describe.each(Object.entries(forms))('refuses a page that %s', (_, write) => {
    test.each(entries)('%s, and prints why', async (entry, name) => {
      const page = buildPage(bundler, { 'page.js': write(entry, name) });
      await expect(page).rejects.toThrow(reason);
    });
  });
});
