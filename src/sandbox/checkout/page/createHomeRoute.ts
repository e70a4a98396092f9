import type { Context } from 'hono';
import type { BoundedMap } from '../../internal/createBoundedMap.js';
import type { SandboxOrders } from '../../orders/createSandboxOrders.js';
import type { WidgetSession } from '../session/createWidgetSession.js';
import { PAGE_DATA_ELEMENT, type PageData } from '../session/OnRampPageData.js';
import { openWidgetSession } from '../session/openWidgetSession.js';
import { refusalAdvice } from '../session/Refusal.js';
import { verifyWidgetQuery } from '../verification/verifyWidgetQuery.js';
import { readWidgetFiles } from './readWidgetFiles.js';
import { renderRefusalPage } from './renderRefusalPage.js';

export interface HomeSettings {
  readonly partnerId: string;
  readonly secretKey: string;
  readonly now: () => number;
  readonly toleranceSeconds: number;
  readonly extraSignedParams: readonly string[];
  readonly windowOpenName: string;
  readonly needsCookie: boolean;
  readonly log: (line: string) => void;
}

/**
 * Creates the route `GET /home` (docs/service-interface.md section 4.7). It serves the widget for a valid
 * URL, and otherwise a page with the reason of the refusal.
 */
export function createHomeRoute(
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
    const isFramed = c.req.header('sec-fetch-dest') === 'iframe';
    const opened = openWidgetSession(result, isFramed, orders, settings.windowOpenName);
    if ('refusal' in opened) {
      const { status, message, reason } = opened.refusal;
      // The frame of another origin shows the page, so neither the shop's console nor its log has the reason.
      settings.log(`Sandbox: widget URL refused: ${message} ${refusalAdvice[reason][0]}`);
      return c.html(renderRefusalPage(opened.refusal), status);
    }
    const { html } = readWidgetFiles();
    const { session, data } = opened;
    sessions.add(session.id, session);
    return c.html(
      embedPageData(html, settings.needsCookie ? { ...data, needsCookie: true } : data),
    );
  };
}

/** Embeds the data as JSON, which the policy allows. `<` is escaped so that no value ends the block. */
function embedPageData(html: string, data: PageData): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const block = `<script type="application/json" id="${PAGE_DATA_ELEMENT}">${json}</script>`;
  return html.replace('</body>', () => `${block}</body>`);
}
