import { createAdaptorServer } from '@hono/node-server';
import { buildWidgetUrl } from '../../protocol/widget/buildWidgetUrl.js';
import type { WebhookFault } from '../../sandbox/index.js';
import { closeServer, listenOn } from '../../sandbox/listen.js';
import { type Interceptor, startInterceptedSandbox } from '../../sandbox/startSandbox.js';
import { listShopVariables } from '../../sandbox/variables.js';

export interface Webhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The service that the backend under test uses: a sandbox, and a receiver of its webhooks. */
export interface Service {
  /** The environment variables that connect a backend to the service. */
  readonly variables: Readonly<Record<string, string>>;
  readonly partnerId: string;
  readonly secretKey: string;
  /** Opens a widget URL. Resolves with why the service refuses it, or with undefined if the service accepts it. */
  findRefusal(params: SignedParams): Promise<string | undefined>;
  /** Pays in the widget, as a shopper does. Resolves with the webhook, which has not been sent to the backend. */
  pay(params: SignedParams, fault?: WebhookFault): Promise<Webhook>;
  /** Makes every request to the partner API fail while `on` is true. */
  setOutage(on: boolean): void;
  /** Returns how many times the order list was requested. */
  countReads(): number;
  /** Describes what the backend has done to read the order list since `countReads` returned `reads`. */
  describeReads(reads: number): string;
  close(): Promise<void>;
}

export type SignedParams = Readonly<Record<string, string>>;

const ORDER_LIST = '/open/api/onramp/order';
/** Keeps a run short, but lets a backend that polls once a second see each state of an NFT order. */
const SETTLE_MS = 1500;

/** @param quirks - Whether the responses deviate from the documentation, as real services' responses do. */
export async function startService(shopUrl: URL, quirks: boolean): Promise<Service> {
  let outage = false;
  let fault: WebhookFault | undefined;
  let reads = 0;
  let lastResult: string | undefined;
  const logs: string[] = [];

  const intercept: Interceptor = async (request, respond) => {
    const { pathname } = new URL(request.url);
    if (outage && pathname.startsWith('/open/'))
      return new Response('unavailable', { status: 503 });
    const response = await respond();
    if (pathname !== ORDER_LIST) {
      if (pathname.startsWith('/open/')) lastResult = `a request to ${pathname}`;
      return response;
    }
    reads += 1;
    const { code, msg } = (await response.clone().json()) as { code: unknown; msg: string };
    lastResult =
      `${code}` === '10000' ? undefined : `the service refused the request (${code} ${msg})`;
    return response;
  };
  const webhooks = await startReceiver();
  const sandbox = await startInterceptedSandbox(
    {
      stepMs: 0,
      settleMs: SETTLE_MS,
      quirks,
      webhookUrl: webhooks.url,
      webhookFault: () => fault,
      log: (line) => logs.push(line),
    },
    intercept,
  );

  return {
    variables: {
      ...listShopVariables(sandbox, shopUrl, webhooks.url),
      RAMP_POLL_SECONDS: '1',
    },
    partnerId: sandbox.partnerId,
    secretKey: sandbox.secretKey,
    async findRefusal(params) {
      const { ok } = await fetch(buildWidgetUrl(sandbox.widgetUrl, params));
      return ok ? undefined : logs.at(-1)?.replace(/^Sandbox: widget URL refused: /, '');
    },
    async pay(params, withFault) {
      fault = withFault;
      const url = buildWidgetUrl(sandbox.widgetUrl, params);
      await sandbox.pay(url, { amount: '100', fiatCurrency: 'USD' });
      return webhooks.next(params.ext ?? '');
    },
    setOutage(on) {
      outage = on;
    },
    countReads: () => reads,
    describeReads(before) {
      if (reads === before)
        return lastResult
          ? `It sent ${lastResult}, but did not request ${ORDER_LIST}`
          : `It did not request ${ORDER_LIST} of RAMP_API_URL`;
      return lastResult
        ? `It requested the order list, but ${lastResult}`
        : 'It requested the order list with a right signature';
    },
    async close() {
      await sandbox.close();
      await webhooks.close();
    },
  };
}

/** Receives the sandbox's webhooks in place of the backend, and keeps the latest one for each reference. */
async function startReceiver() {
  const received = new Map<string, Webhook>();
  // If the handler rejects, the adaptor responds with 500. With a plain createServer listener, the process would end.
  const server = createAdaptorServer({
    async fetch(request) {
      const body = await request.text();
      const headers = Object.fromEntries(
        [...request.headers].filter(
          ([name]) => name.startsWith('x-fp-') || name === 'content-type',
        ),
      );
      const { ext } = JSON.parse(body) as { ext: string };
      received.set(ext, { headers, body });
      return Response.json({});
    },
    overrideGlobalObjects: false,
  });
  const port = await listenOn(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    async next(reference: string): Promise<Webhook> {
      for (let waits = 0; waits < 500; waits++) {
        const found = received.get(reference);
        if (found) return found;
        await new Promise((done) => setTimeout(done, 20));
      }
      throw new Error('The sandbox has sent no webhook.');
    },
    close: () => closeServer(server),
  };
}
