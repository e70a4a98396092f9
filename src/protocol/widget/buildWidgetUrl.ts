import { RampError } from '../errors/RampError.js';
import { parseServiceUrl } from '../parseServiceUrl.js';
import { encodeQueryValue, parseQuery } from '../query.js';
import type { WidgetParams } from './buildWidgetPayload.js';

/**
 * Returns the parameters that are sent in the URL, without empty values. In the on-ramp widget `amountFixed` replaces
 * `amount`; for an NFT, `amount` is the signed price and is kept.
 */
export function selectSentParams(params: WidgetParams): Record<string, string> {
  const sent: Record<string, string> = {};
  const isFixed = params.amountFixed && !params.contractAddress;
  for (const name of Object.keys(params))
    if (params[name] && !(name === 'amount' && isFixed)) sent[name] = params[name] as string;
  return sent;
}

/**
 * Builds the query of a widget URL. `ext` is percent-encoded once, like every value, so the URL contains it as it was
 * signed.
 */
export function buildWidgetQuery(params: WidgetParams): string {
  const sent = selectSentParams(params);
  return Object.keys(sent)
    .map(
      (name) => `${encodeQueryValue(name, name)}=${encodeQueryValue(name, sent[name] as string)}`,
    )
    .join('&');
}

/**
 * Builds the URL that opens the hosted widget (service interface, section 4.7): `{widgetUrl}/home?…`.
 *
 * @param widgetUrl - The service's widget address without `/home`; `https:`, or `http:` on loopback.
 * @param params - The values before percent-encoding, with `signature` in base64. Empty values are not sent.
 * @throws RampError `ERR_CONFIG_INVALID` for any other `widgetUrl`, `ERR_PARAMS_INVALID` when a value contains a lone
 * surrogate, which no URL can carry.
 * @example
 * buildWidgetUrl('https://pay.example', { amount: '100', fiatCurrency: 'USD,EUR' });
 * // 'https://pay.example/home?amount=100&fiatCurrency=USD%2CEUR'
 */
export function buildWidgetUrl(widgetUrl: string, params: WidgetParams): string {
  const query = buildWidgetQuery(params);
  const address = parseServiceUrl(widgetUrl, 'widgetUrl');
  if (address.endsWith('/home'))
    throw new RampError(
      'ERR_CONFIG_INVALID',
      'widgetUrl must be the address before /home, which is added to it.',
    );
  return `${address}/home${query && '?'}${query}`;
}

/**
 * Parses a widget URL into its address and its decoded parameters.
 *
 * @throws RampError `ERR_PARAMS_INVALID` when `url` is not a widget URL, or contains a duplicate parameter or malformed
 * percent-encoding.
 */
export function parseWidgetUrl(url: string): { widgetUrl: string; params: Record<string, string> } {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw createWidgetUrlError('is not a URL');
  }
  if (!parsed.pathname.endsWith('/home')) throw createWidgetUrlError('does not end in /home');
  return {
    widgetUrl: parsed.origin + parsed.pathname.slice(0, -'/home'.length),
    params: parseQuery(parsed.search),
  };
}

function createWidgetUrlError(message: string): RampError {
  return new RampError('ERR_PARAMS_INVALID', `The widget URL ${message}.`, {
    issues: [{ param: '', message }],
  });
}
