import { readFileSync } from 'node:fs';
import { findFreePort } from '../../../scripts/ports.mjs';
import { type ChildServer, startChild } from '../../support/shop/startChild.js';

const BLOCK = /Save this as\s+`sandbox\.mjs`[\s\S]*?```ts\n([\s\S]*?)```/;

/** What the script prints when the sandbox has started. */
export interface SandboxKeys {
  readonly widgetUrl: string;
  readonly baseUrl: string;
  readonly partnerId: string;
  readonly secretKey: string;
  readonly apiPrivateKey: string;
  readonly webhookPublicKey: string;
}

/** Runs the script `sandbox.mjs` of docs/signing.md, on a free port instead of 4010. */
export async function startDocumentedSandbox(): Promise<ChildServer & { keys: SandboxKeys }> {
  const port = await findFreePort();
  const [, script = ''] = BLOCK.exec(readFileSync('docs/signing.md', 'utf8')) ?? [];
  const child = await startChild(
    ['--input-type=module', '-e', script.replace('port: 4010', `port: ${port}`)],
    // The project of these tests sets NODE_ENV to production, in which the sandbox refuses to run.
    { url: `http://127.0.0.1:${port}/home?amount=1`, env: { NODE_ENV: 'development' } },
  );
  const [line = ''] = child.logs().split('\n');
  return { ...child, keys: JSON.parse(line) };
}
