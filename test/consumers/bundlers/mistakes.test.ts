import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { testMistake } from '../../mistakes/testMistake.js';
import { buildPage } from './buildPage.js';

// The folder of a build is named by a hash of its source. The last line makes the hash differ from other tests.
const page = `import { createWidgetSigner } from '@partner-ramp/react/server';
globalThis.used = createWidgetSigner;
// Mistake 38.
`;

describe('the build of a page', () => {
  testMistake(38, async () => {
    const text = await buildPage('webpack', { 'page.js': page }).then(
      () => 'The build did not fail.',
      ({ message }: Error) => message.trim(),
    );
    const here = new URL('node_modules/@partner-ramp/react/dist/server', import.meta.url);
    return { text, values: { folder: realpathSync(fileURLToPath(here)) } };
  });
});
