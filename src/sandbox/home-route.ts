import type { Context } from 'hono';
import type { BoundedMap } from './bounded-map.js';
import { nftData } from './nft-data.js';
import { refusalPage } from './refusal-page.js';
import { framedRefusal, nftCurrencyRefusal, type Refusal } from './refusals.js';
import type { SandboxOrders } from './sandbox-orders.js';
import { type PageData, SESSION_ELEMENT, sessionData } from './session-data.js';
import { verifyWidgetQuery } from './verify-widget-query.js';
import { widgetFiles } from './widget-files.js';
import { type WidgetSession, widgetSession } from './widget-sessions.js';

export interface HomeSettings {
  readonly partnerId: string;
  readonly secretKey: string;
  readonly now: () => number;
  readonly toleranceSeconds: number;
  readonly extraSignedParams: readonly string[];
}

/** `GET /home` (section 4.7): the widget for a URL that is right, a page that says why for any other. */
export function homeRoute(
  settings: HomeSettings,
  sessions: BoundedMap<WidgetSession>,
  orders: SandboxOrders,
) {
  return (c: Context): Response => {
    const { url } = c.req;
    const at = url.indexOf('?');
    const result = verifyWidgetQuery(at < 0 ? '' : url.slice(at + 1), {
      ...settings,
      nowSeconds: Math.floor(settings.now() / 1000),
    });
    const refuse = (refusal: Refusal) => c.html(refusalPage(refusal), refusal.status);
    if (!result.ok) return refuse({ ...result, status: result.code === 10003 ? 403 : 400 });
    // Row 22: what a service's own edge does to a frame that it was not told of.
    if (c.req.header('sec-fetch-dest') === 'iframe' && result.params.windowOpen !== '1')
      return refuse(framedRefusal(result));
    const session = widgetSession(result);
    if (!session) return refuse(nftCurrencyRefusal(result));
    const { html } = widgetFiles();
    sessions.add(session.id, session);
    const data =
      session.widget === 'nft'
        ? nftData(session.id, session.offer, orders.bought(session))
        : sessionData(session.id, session.offer);
    return c.html(withData(html, data));
  };
}

/** A data block is not run, so the policy lets it be; `<` is escaped so that none can end it. */
function withData(html: string, data: PageData): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const block = `<script type="application/json" id="${SESSION_ELEMENT}">${json}</script>`;
  return html.replace('</body>', () => `${block}</body>`);
}
