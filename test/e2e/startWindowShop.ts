import { setTimeout as pause } from 'node:timers/promises';
import type { CheckoutProgress } from '../../src/index.js';
import { buildPageModules } from '../support/shop/buildPageScript.js';
import { type Site, startSite } from '../support/shop/startSite.js';

/** A page with a button that opens the widget in a window, and with `<ramp-button>` at `/element`. */
const script = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { OnRampButton } from '@partner-ramp/react';
import '@partner-ramp/react/element';
const settings = { widgetUrl: new URLSearchParams(location.search).get('widgetUrl'), api: '/api/ramp' };
window.events = [];
const main = document.body.appendChild(document.createElement('main'));
if (location.pathname === '/element') {
  const button = document.createElement('ramp-button');
  Object.assign(button, settings, { display: 'window', amount: '100' });
  for (const type of ['opened', 'closed']) button.addEventListener('ramp-' + type, () => events.push(type));
  main.append(button);
} else {
  const onEvent = ({ type }) => events.push(type);
  createRoot(main).render(h(OnRampButton, { ...settings, display: 'window', amount: '100', onEvent }));
}
`;

/** A shop, its ramp handler, and a service on another site, all over HTTP, and the opener policies of both. */
export interface WindowShop {
  /** The address of a page of the shop. */
  url(path: string): string;
  /** The state of every checkout. */
  progress: CheckoutProgress;
  /** How many checkouts were signed, and how many were continued. */
  readonly signed: { checkouts: number; continued: number };
  /** The value of `Cross-Origin-Opener-Policy` of the pages of the shop. */
  openerPolicy: string | undefined;
  /** How the service responds. */
  readonly service: {
    /** The value of `Cross-Origin-Opener-Policy`. */
    openerPolicy: string | undefined;
    /** The time until its response, in milliseconds. */
    delayMs: number;
  };
  close(): Promise<void>;
}

/** Starts a shop whose button opens the widget in a window. */
export async function startWindowShop(): Promise<WindowShop> {
  const modules = await buildPageModules(script);
  const service: WindowShop['service'] = { openerPolicy: undefined, delayMs: 0 };
  const signed = { checkouts: 0, continued: 0 };
  const widget = await startSite(() => async () => {
    await pause(service.delayMs, undefined, { ref: false });
    return new Response('<!doctype html><title>Widget</title><h1>The widget</h1>', {
      headers: { 'Content-Type': 'text/html', ...toHeader(service.openerPolicy) },
    });
  });
  const sign = (reference: string) =>
    Response.json({ reference, params: { signature: 'signed' }, expiresInSeconds: 240 });
  const shop: WindowShop = {
    url: (path) => `${site.origin}${path}?widgetUrl=${toOtherSite(widget.origin)}`,
    progress: 'waiting',
    signed,
    openerPolicy: undefined,
    service,
    async close() {
      await site.close();
      await widget.close();
    },
  };
  const site: Site = await startSite(() => ({ url, method }) => {
    const { pathname, searchParams } = new URL(url);
    const [, , , , reference = '', route] = pathname.split('/');
    if (route === 'continue') {
      signed.continued++;
      return sign(reference);
    }
    if (method === 'POST') return sign(`r${++signed.checkouts}`);
    const references = searchParams.get('references')?.split(',');
    if (references) {
      const { progress } = shop;
      const toState = (one: string) => ({
        reference: one,
        widget: 'on-ramp',
        progress,
        orders: [],
      });
      return Response.json({
        checkouts: [],
        named: references.map(toState),
        pollAfterSeconds: 3,
      });
    }
    const code = modules.get(pathname);
    const html = '<!doctype html><title>Shop</title><script type="module" src="/page.js"></script>';
    return new Response(code ?? html, {
      headers: {
        'Content-Type': code ? 'text/javascript' : 'text/html',
        ...toHeader(shop.openerPolicy),
      },
    });
  });
  return shop;
}

const toHeader = (openerPolicy: string | undefined) =>
  openerPolicy && { 'Cross-Origin-Opener-Policy': openerPolicy };

/** To a browser, the two names of the loopback are two sites. */
const toOtherSite = (origin: string) => origin.replace('127.0.0.1', 'localhost');
