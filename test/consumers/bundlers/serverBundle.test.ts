import { describe, expect, test } from 'vitest';
import { runNode } from '../../support/packaging/runNode.js';
import { buildServer, bundlerNames } from './buildPage.js';

const backend = `
import { createWidgetSigner } from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { toExpress } from '@partner-ramp/react/server/express';
const signer = createWidgetSigner({
  partnerId: 'partner',
  secretKey: 'secret',
  widgetUrl: 'https://pay.example',
});
const { params } = signer.sign('on-ramp', { walletAddress: '0x0000000000000000000000000000000000000001' });
console.log(typeof toExpress, typeof sqlOrderStore, Boolean(params.signature));
`;

const run = (file: string) => runNode([file], { cwd: '.' });

describe.each(bundlerNames)('%s', (bundler) => {
  test('bundles the server for Node', async () => {
    expect(await buildServer(bundler, backend, run)).toBe('function function true\n');
  });
});

// Express does not run in workerd, so this backend does not import toExpress.
const worker = backend
  .replace(/^import \{ toExpress \}.*$/m, '')
  .replace('typeof toExpress', 'typeof Request');

test('the condition workerd has priority over browser, as in Wrangler', async () => {
  const printed = await buildServer('esbuild', worker, run, ['workerd', 'worker', 'browser']);
  expect(printed).toBe('function function true\n');
});

test('a bundle for another worker than workerd gets no server', async () => {
  await expect(buildServer('esbuild', worker, run, ['worker', 'browser'])).rejects.toThrow();
});
