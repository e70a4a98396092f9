import { describe, expect, test } from 'vitest';
import { runNode } from '../../support/run-node.js';
import { buildServer, bundlerNames } from './page.js';

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

describe.each(bundlerNames)('%s', (bundler) => {
  test('bundles the server for Node', async () => {
    const printed = await buildServer(bundler, backend, (file) => runNode([file], { cwd: '.' }));
    expect(printed.trim()).toBe('function function true');
  });
});
