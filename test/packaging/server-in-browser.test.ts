import { expect, test } from 'vitest';
import { bundlePage } from '../support/bundle-page.js';

test.each([
  ['@partner-ramp/react/server', 'createWidgetSigner'],
  ['@partner-ramp/react/server/express', 'toExpress'],
  ['@partner-ramp/react/server/sql', 'sqlOrderStore'],
  ['@partner-ramp/react/sandbox', 'startSandbox'],
])('a page that imports %s cannot be built', async (entry, name) => {
  const page = `import { ${name} } from '${entry}';\nglobalThis.held = ${name};`;
  const failure = bundlePage(page);
  await expect(failure).rejects.toThrow(new RegExp(`"${name}" is not exported by`));
  await expect(failure).rejects.toThrow(/dist\/server\/server-only\.js/);
});

test('a page that imports one of them for its effects alone gets the module that throws', async () => {
  const { chunks } = await bundlePage(`import '@partner-ramp/react/server';`);
  expect(chunks[0]?.code).toMatch(/never run in a browser/);
});
