import { buildWidgetUrl, type NftParams } from '../../../src/protocol/index.js';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { createWidgetSigner, type SignExtras } from '../../../src/server/index.js';
import { testRuntime } from '../server/testRuntime.js';
import { wallet } from './signQuery.js';

/**
 * Creates a client that signs widget URLs as a backend does, and calls the sandbox over HTTP as a shopper's browser
 * does.
 */
export function createSandboxClient(sandbox: Sandbox, now: () => number) {
  const signer = createWidgetSigner({ ...sandbox }, testRuntime({ now }));
  /** The bodies and headers of all responses, in which tests search for secrets. */
  const responseTexts: string[] = [];

  async function call(path: string, init?: RequestInit) {
    const response = await fetch(new URL(path, sandbox.baseUrl), init);
    const text = await response.text();
    responseTexts.push(text, JSON.stringify([...response.headers]));
    return { status: response.status, headers: response.headers, text };
  }
  async function post(path: string, body: unknown) {
    const { status, text } = await call(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status, body: JSON.parse(text) };
  }
  const signedUrl = (params = {}, extras: SignExtras = {}) =>
    buildWidgetUrl(
      sandbox.widgetUrl,
      signer.sign('on-ramp', { walletAddress: wallet, ...params }, extras).params,
    );
  const nftUrl = (params: NftParams) =>
    buildWidgetUrl(sandbox.widgetUrl, signer.sign('nft', params).params);
  /** Opens a widget URL and returns the JSON data in its page. */
  async function data(url: string) {
    const { text } = await call(url);
    const json = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(text)?.[1];
    return JSON.parse(json ?? '{}');
  }
  /** Opens an on-ramp URL with these signed parameters. Returns the ID of the widget session. */
  const open = async (params = {}): Promise<string> => (await data(signedUrl(params))).session;
  return { responseTexts, call, post, signedUrl, nftUrl, data, open };
}
