import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { RequestError } from '../../server/internal/errorResponses.js';
import { readJson } from '../../server/internal/requestBody.js';
import type { UsdPrice } from '../catalog/pricing.js';
import type { Explain, SandboxJournal } from '../console/journal.js';
import type { DerivedValues } from '../createDerivedValues.js';
import { explainSignature, type KnownKeys } from '../explain/explainSignature.js';
import { readWidgetMessage } from '../explain/signedMessage.js';
import type { BoundedMap } from '../memory.js';
import type { SandboxOrders } from '../orders.js';
import { createErrorResponse, parseWithSchema } from '../requests.js';
import { bodyText, createCheckoutService } from './createCheckoutService.js';
import { PAGE_DATA_ELEMENT, type PageData } from './pageData.js';
import { readWidgetFiles } from './readWidgetFiles.js';
import {
  describeRefusal,
  formatRefusalCode,
  REFUSAL_STYLES_PATH,
  refusalStyles,
  renderRefusalPage,
} from './refusal.js';
import { verifyWidgetQuery } from './verifyWidgetQuery.js';
import {
  createSessionStore,
  type OpenResult,
  openWidgetSession,
  type WidgetSession,
} from './widgetSession.js';

export interface CheckoutSettings {
  readonly partnerId: string;
  readonly secretKey: string;
  readonly now: () => number;
  readonly toleranceSeconds: number;
  readonly extraSignedParams: readonly string[];
  readonly needsCookie: boolean;
  readonly log: (line: string) => void;
  readonly orders: SandboxOrders;
  readonly derived: DerivedValues;
  /** @default moving prices */
  readonly getUsdPrice?: UsdPrice | undefined;
  /** This sandbox's keys, because a URL may have been signed with the wrong one. */
  readonly keys: KnownKeys;
  readonly journal: SandboxJournal | undefined;
}

/** Creates the routes of the hosted widget: its page, the page's requests, and its files. */
export function createWidgetRoutes(settings: CheckoutSettings) {
  const routes = new Hono();
  const sessions = createSessionStore();
  routes.get('/home', createHomeRoute(settings, sessions));
  routes.get(REFUSAL_STYLES_PATH, (c) =>
    c.body(refusalStyles, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  );
  if (settings.needsCookie) {
    routes.route('/home/sign-in', createSignInRoutes(settings.derived));
    routes.use('/home/quote', requireSignIn);
    routes.use('/home/orders', requireSignIn);
  }
  routes.route('/home', createPurchaseRoutes(settings, sessions));
  routes.get('/widget/assets/:name', (c) => {
    const asset = readWidgetFiles().assets.get(c.req.param('name'));
    if (!asset) return c.notFound();
    return c.body(asset.body, 200, {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });
  return routes;
}

/**
 * Creates the route `GET /home` (service interface, section 4.7). The route serves the widget for a valid URL,
 * and a page that explains the refusal for any other URL.
 */
function createHomeRoute(settings: CheckoutSettings, sessions: BoundedMap<WidgetSession>) {
  let openings = 0;
  return (c: Context): Response => {
    const { url } = c.req;
    const at = url.indexOf('?');
    const query = at < 0 ? '' : url.slice(at + 1);
    const result = verifyWidgetQuery(query, {
      ...settings,
      nowSeconds: Math.floor(settings.now() / 1000),
    });
    const isFramed = c.req.header('sec-fetch-dest') === 'iframe';
    const { orders, derived } = settings;
    // The ID depends on the query, so that a page from an earlier run cannot use another URL's session.
    const createId = () => derived.hex(16, 'session', openings++, query);
    const opened = openWidgetSession(result, isFramed, orders, createId);
    const explain = createExplanation(query, opened, settings);
    settings.journal?.add({ ...describeOpening(opened), explain });
    if ('refusal' in opened) {
      const explanation = opened.refusal.reason === 'signature' ? explain?.() : undefined;
      const refusal = { ...opened.refusal, ...(explanation && { explanation }) };
      // Log the reason for the shop's developer. A refusal page in a frame has a different origin from the shop's page,
      // so neither the shop's console nor its log shows the reason.
      settings.log(`Sandbox: widget URL refused: ${describeRefusal(refusal)}`);
      return c.html(renderRefusalPage(refusal), refusal.status);
    }
    const { html } = readWidgetFiles();
    const { session, data } = opened;
    sessions.add(session.id, session);
    return c.html(
      embedPageData(html, settings.needsCookie ? { ...data, needsCookie: true } : data),
    );
  };
}

/** Returns a function that explains a URL's signature, or undefined if the URL has none or cannot be read. */
function createExplanation(
  query: string,
  opened: OpenResult,
  { keys, extraSignedParams }: CheckoutSettings,
): Explain | undefined {
  if ('refusal' in opened && opened.refusal.reason === 'query') return undefined;
  const message = readWidgetMessage(`?${query}`, extraSignedParams);
  if (message.signature === '') return undefined;
  return (signerText) => explainSignature(message, keys, signerText);
}

function describeOpening(opened: OpenResult) {
  const kind = 'widget-url' as const;
  const toTitle = (widget: Widget) => (widget === 'nft' ? 'NFT widget' : 'On-ramp widget');
  if ('session' in opened)
    return { kind, title: toTitle(opened.session.widget), isAccepted: true, result: 'opened' };
  const { widget = 'on-ramp', message } = opened.refusal;
  return {
    ...{ kind, title: toTitle(widget), isAccepted: false, message },
    result: formatRefusalCode(opened.refusal),
  };
}

/**
 * Embeds the data as a JSON block, which the Content-Security-Policy allows because it is not executed. `<` is
 * escaped so that no value can end the block.
 */
function embedPageData(html: string, data: PageData): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const block = `<script type="application/json" id="${PAGE_DATA_ELEMENT}">${json}</script>`;
  return html.replace('</body>', () => `${block}</body>`);
}

const anyBody = z.looseObject({ session: bodyText });

/** Creates the routes that the page calls: `POST /quote`, `POST /orders`, `GET /orders/:id`. */
function createPurchaseRoutes(
  { orders, now, getUsdPrice }: CheckoutSettings,
  sessions: BoundedMap<WidgetSession>,
) {
  const service = createCheckoutService(orders, now, getUsdPrice);
  const routes = new Hono<{ Variables: { request: unknown; session: WidgetSession } }>();
  routes.post('*', async (c, next) => {
    const { session: id, ...request } = parseWithSchema(anyBody, await readJson(c.req.raw));
    const session = sessions.get(id);
    if (!session)
      throw new RequestError(
        'ERR_REQUEST',
        'This checkout has ended. Open it again from the shop.',
        { status: 404 },
      );
    c.set('request', request);
    c.set('session', session);
    await next();
  });
  routes.post('/quote', (c) =>
    c.json({ quote: service.quote(c.get('session'), c.get('request')) }),
  );
  routes.post('/orders', (c) =>
    c.json({ order: service.order(c.get('session'), c.get('request')) }, 201),
  );
  routes.get('/orders/:id', (c) => {
    const order = orders.find(c.req.param('id'));
    if (!order) return createErrorResponse(c, 404, 'ERR_NOT_FOUND', 'Order not found.');
    return c.json({ order });
  });
  return routes;
}

const COOKIE = 'sandbox_shopper';
const isSignedIn = (c: Context) => getCookie(c, COOKIE) !== undefined;

/**
 * Creates the routes of a service with a login: `GET /` returns whether the browser sends the service's cookie, and
 * `POST /` sets the cookie. The cookie is not partitioned, so a browser that blocks third-party cookies sends it from a
 * frame only after the browser has granted the widget storage access.
 */
function createSignInRoutes(derived: DerivedValues) {
  const routes = new Hono();
  let shoppers = 0;
  routes.get('/', (c) => c.json({ isSignedIn: isSignedIn(c) }));
  routes.post('/', (c) => {
    setCookie(c, COOKIE, derived.hex(16, 'shopper', shoppers++), {
      path: '/',
      httpOnly: true,
      // Most browsers also accept a secure cookie over http: from loopback, because they trust that origin.
      secure: true,
      sameSite: 'None',
    });
    return c.body(null, 204);
  });
  return routes;
}

const requireSignIn = createMiddleware(async (c, next) => {
  if (!isSignedIn(c))
    throw new RequestError('ERR_REQUEST', "The service's cookie is missing. Sign in first.", {
      status: 403,
    });
  await next();
});
