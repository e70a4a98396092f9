import { timingSafeEqual } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import * as z from 'zod/mini';
import { isRampError } from '../../protocol/errors/isRampError.js';
import { RequestError } from '../../server/internal/errorResponses.js';
import { readJson } from '../../server/internal/requestBody.js';
import tokensCss from '../checkout/tokens.css?raw';
import { changeFaults, type SandboxFaults } from '../faults.js';
import { type OrderMove, type OrderOverview, orderMoves, type SandboxOrders } from '../orders.js';
import { createErrorResponse, handleThrownError, parseWithSchema } from '../requests.js';
import type { WebhookSender } from '../webhooks/startWebhookSender.js';
import type { JournalEntry, SandboxJournal } from './journal.js';
import consoleCss from './page/console.css?raw';
import consoleJs from './page/console.js?raw';
import { renderConsolePage } from './renderConsolePage.js';

export interface ConsoleSettings {
  readonly journal: SandboxJournal;
  readonly orders: SandboxOrders;
  readonly sender: WebhookSender;
  readonly faults: SandboxFaults;
  readonly widgetUrl: string;
  readonly webhookUrl: string | undefined;
  /** Proves that a request comes from this run's page. */
  readonly token: string;
  /** The accepted values of the `Host` header, including the port. */
  readonly hosts: readonly string[];
}

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const setHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
};

/** What the page can do with an order's webhooks. */
const webhookActions = ['resend', 'resend-anew', 'lose', 'delay'] as const;
const orderAction = z.strictObject({
  orderId: z.string(),
  action: z.enum([...orderMoves, ...webhookActions]),
});
const signerText = z.strictObject({ text: z.string() });
type WebhookAction = (typeof webhookActions)[number];
type OrderAction = OrderMove | WebhookAction;
const isMove = (action: OrderAction): action is OrderMove =>
  orderMoves.some((move) => move === action);
const isResend = (action: WebhookAction) => action === 'resend' || action === 'resend-anew';

/** The last status of an NFT order: its price is settled. */
const SETTLED = 3;

/**
 * Creates the console's page and the routes that it calls. A page of another origin can neither read nor change
 * anything. A name that was rebound to loopback is refused because of its `Host`. Every call needs this run's token, in
 * a header that other origins may not send, and a change also needs the console's own `Origin`.
 */
export function createConsoleApp(settings: ConsoleSettings): Hono {
  const { journal, orders, sender, faults, token, hosts } = settings;
  const app = new Hono();
  app.onError(handleThrownError);
  app.notFound((c) => createErrorResponse(c, 404, 'ERR_NOT_FOUND', 'Route not found.'));
  app.use(setHeaders);
  app.use(async (c, next) => {
    const host = c.req.header('host') ?? '';
    if (hosts.includes(host.toLowerCase())) return next();
    const message = 'This console does not serve this host. Open it by the URL that it printed.';
    return createErrorResponse(c, 421, 'ERR_REQUEST', message);
  });
  const serve = (text: string, type: string) => (c: Context) =>
    c.body(text, 200, { 'Content-Type': `${type}; charset=utf-8` });
  app.get('/', (c) => c.html(renderConsolePage(settings)));
  app.get('/console.css', serve(`${tokensCss}\n${consoleCss}`, 'text/css'));
  app.get('/console.js', serve(consoleJs, 'text/javascript'));

  const api = new Hono();
  api.use(async (c, next) => {
    if (!isEqual(c.req.header('x-console-token') ?? '', token))
      throw new RequestError('ERR_REQUEST', 'The token is from another run. Reload the page.', {
        status: 403,
      });
    if (c.req.method !== 'GET' && c.req.header('origin') !== `http://${c.req.header('host')}`)
      throw new RequestError(
        'ERR_REQUEST',
        'Changes are accepted from the page of this console only.',
        { status: 403 },
      );
    await next();
  });
  api.get('/state', (c) => {
    const after = Number(c.req.query('after') ?? 0);
    return c.json({
      entries: journal.listAfter(after).map(toListItem),
      orders: listOrders(),
      faults: { ...faults, webhookFault: getFaultName(faults) },
    });
  });
  api.get('/entries/:id', (c) => {
    const entry = journal.find(Number(c.req.param('id')));
    if (!entry) return createErrorResponse(c, 404, 'ERR_NOT_FOUND', 'This message is too old.');
    return c.json({ ...toListItem(entry), explanation: entry.explain?.() });
  });
  api.post('/entries/:id/signer-text', async (c) => {
    const { text } = parseWithSchema(signerText, await readJson(c.req.raw));
    const explanation = journal.find(Number(c.req.param('id')))?.explain?.(text);
    if (!explanation)
      return createErrorResponse(c, 404, 'ERR_NOT_FOUND', 'This message is too old.');
    return c.json(explanation);
  });
  api.post('/faults', async (c) => {
    const changes = parseWithSchema(z.record(z.string(), z.unknown()), await readJson(c.req.raw));
    try {
      changeFaults(faults, changes);
    } catch (error) {
      throw isRampError(error)
        ? new RequestError('ERR_REQUEST', error.message, { status: 400 })
        : error;
    }
    return c.body(null, 204);
  });
  api.post('/orders', async (c) => {
    const { orderId, action } = parseWithSchema(orderAction, await readJson(c.req.raw));
    const obstacle = apply(orderId, action);
    if (obstacle) throw new RequestError('ERR_REQUEST', obstacle, { status: 409 });
    return c.body(null, 204);
  });
  app.route('/api', api);
  return app;

  /** Performs a button's action on an order. Returns why the action is not possible, or `undefined` once it is done. */
  function apply(orderId: string, action: OrderAction): string | undefined {
    if (isMove(action)) return orders.move(orderId, action);
    const overview = orders.listAll().find(({ order }) => order.orderId === orderId);
    if (!overview) return 'The sandbox no longer has this order.';
    const obstacle = findWebhookObstacle(overview, action);
    if (obstacle) return obstacle;
    if (isResend(action)) sender.resend(overview.order, action === 'resend-anew');
    else sender.setFault(orderId, action === 'lose' ? 'lost' : 'late');
    return undefined;
  }

  function findWebhookObstacle(
    { order, step }: OrderOverview,
    action: WebhookAction,
  ): string | undefined {
    if (settings.webhookUrl === undefined)
      return 'The sandbox sends no webhooks. Start it with the address of your backend as webhookUrl.';
    if (isResend(action))
      return sender.hasSent(order.orderId)
        ? undefined
        : 'No webhook of this order was sent since the sandbox started.';
    if (step === 'failed') return 'The order has failed, so it has no further webhook.';
    const isLast = step === 'finished' && (!order.nftDetails || order.orderStatus === SETTLED);
    return isLast ? 'The last webhook of this order was sent already.' : undefined;
  }

  function listOrders() {
    return orders
      .listAll()
      .slice(-100)
      .reverse()
      .map((entry) => {
        const { order, moves, ...overview } = entry;
        const { orderId, orderStatus, ext, currencyAmount, fiatCurrency } = order;
        const { cryptoCurrencyAmount, cryptoCurrencyCode } = order;
        const webhooks = webhookActions.filter((action) => !findWebhookObstacle(entry, action));
        return {
          ...{ ...overview, orderId, orderStatus, ext, isNft: order.nftDetails !== undefined },
          paid: `${currencyAmount} ${fiatCurrency}`,
          bought: `${cryptoCurrencyAmount} ${cryptoCurrencyCode}`,
          actions: [...moves, ...webhooks],
        };
      });
  }
}

const toListItem = ({ explain, ...item }: JournalEntry) => ({
  ...item,
  isSigned: explain !== undefined,
});

/** Returns the name of the webhook fault: `function` if a function chooses it. */
const getFaultName = ({ webhookFault }: SandboxFaults) =>
  typeof webhookFault === 'function' ? 'function' : webhookFault;

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
