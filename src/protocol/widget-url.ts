import { encodeValue } from './encode-value.js';
import { RampError } from './ramp-error.js';
import { serviceUrl } from './service-url.js';
import type { WidgetParams } from './widget-payload.js';

/**
 * The parameters that really go into the URL: empty values are not sent, and in the on-ramp widget
 * `amountFixed` wins over `amount`. (For an NFT, `amount` is the signed price and stays.)
 */
export function sentParams(params: WidgetParams): Record<string, string> {
  const sent: Record<string, string> = {};
  const isFixed = params.amountFixed && !params.contractAddress;
  for (const name of Object.keys(params))
    if (params[name] && !(name === 'amount' && isFixed)) sent[name] = params[name] as string;
  return sent;
}

/** The query of a widget URL. `ext` is percent-encoded once, the same text that was signed. */
export function widgetQuery(params: WidgetParams): string {
  const sent = sentParams(params);
  return Object.keys(sent)
    .map((name) => `${encodeValue(name, name)}=${encodeValue(name, sent[name] as string)}`)
    .join('&');
}

/**
 * The URL that opens the hosted widget (section 4.7): `{widgetUrl}/home?…`.
 *
 * @param widgetUrl - The service's widget address without `/home`; `https:`, or `http:` on loopback.
 * @param params - Plain values; `signature` as plain base64. Empty values are not sent.
 * @throws RampError `ERR_CONFIG_INVALID` when `widgetUrl` is no such address,
 * `ERR_PARAMS_INVALID` when a value holds a lone surrogate, which no URL can carry.
 * @example
 * buildWidgetUrl('https://pay.example', { amount: '100', fiatCurrency: 'USD,EUR' });
 * // 'https://pay.example/home?amount=100&fiatCurrency=USD%2CEUR'
 */
export function buildWidgetUrl(widgetUrl: string, params: WidgetParams): string {
  const query = widgetQuery(params);
  const address = serviceUrl(widgetUrl, 'widgetUrl');
  if (address.endsWith('/home'))
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'widgetUrl must be the address before /home, which is added to it.',
    );
  return `${address}/home${query && '?'}${query}`;
}

/**
 * Reads the query of a widget URL back into plain values, as a service would.
 *
 * @throws RampError `ERR_PARAMS_INVALID` for a name that stands twice and for broken percent-encoding.
 */
export function parseWidgetQuery(query: string): Record<string, string> {
  const params: Record<string, string> = Object.create(null);
  for (const item of query.split('&')) {
    if (item === '') continue;
    const at = item.indexOf('=');
    const name = decode(at < 0 ? item : item.slice(0, at));
    if (name in params) refuse(name, 'stands twice in the URL');
    params[name] = at < 0 ? '' : decode(item.slice(at + 1));
  }
  return params;
}

/**
 * Reads a widget URL back into its address and its plain parameters.
 *
 * @throws RampError `ERR_PARAMS_INVALID` when it is no widget URL, names a parameter twice or has
 * broken percent-encoding.
 */
export function parseWidgetUrl(url: string): { widgetUrl: string; params: Record<string, string> } {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return refuse('', 'is not a URL');
  }
  if (!parsed.pathname.endsWith('/home')) return refuse('', 'does not end in /home');
  return {
    widgetUrl: parsed.origin + parsed.pathname.slice(0, -'/home'.length),
    params: parseWidgetQuery(parsed.search.slice(1)),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse('', 'has broken percent-encoding');
  }
}

function refuse(param: string, message: string): never {
  throw new RampError(
    'ERR_PARAMS_INVALID',
    `The widget URL ${param ? `is ambiguous: ${param} ` : ''}${message}.`,
    { issues: [{ param, message }] },
  );
}
