import { afterAll, beforeAll, describe } from 'vitest';
import { buildWidgetUrl } from '../../src/protocol/index.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import { createWidgetSigner } from '../../src/server/index.js';
import { wallet } from '../support/server/createTestHandler.js';
import { testRuntime } from '../support/server/testRuntime.js';
import { testMistake } from './testMistake.js';

const now = 1_790_000_000_000;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => now });
});
afterAll(() => sandbox.close());

/**
 * Opens the sandbox's widget with parameters of a wrongly configured signer. Returns the explanation on the error page,
 * without the signed text below it.
 */
async function page(given: object, atMs = now): Promise<string> {
  const signer = createWidgetSigner({ ...sandbox, ...given }, testRuntime({ now: () => atMs }));
  const { params } = signer.sign('on-ramp', { walletAddress: wallet });
  const html = await (await fetch(buildWidgetUrl(sandbox.widgetUrl, params))).text();
  return html
    .slice(html.indexOf('<p class="code"'), html.indexOf('<h2 id="signed-text"'))
    .replace(/<\/(?:p|h1|h2|li)>/g, '\n')
    .replace(/<[^>]+>|^\s*$/gm, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\n+/g, '\n')
    .trim();
}

describe('the page of the sandbox', () => {
  testMistake(28, () => page({ secretKey: 'the-key-of-another-environment' }));
  testMistake(29, () => page({}, now - 600_000));
  testMistake(30, () => page({ partnerId: 'the-id-of-another-environment' }));
});
