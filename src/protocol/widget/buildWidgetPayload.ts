import { createParamsError } from '../errors/RampError.js';
import { encodeQueryValue } from '../query.js';
import { getSignedNames, type Widget } from './widgetParameters.js';

/** Values by parameter name, before any encoding. */
export type WidgetParams = Readonly<Record<string, string>>;

const signed: Readonly<Record<Widget, ReadonlySet<string>>> = {
  'on-ramp': new Set(getSignedNames('on-ramp')),
  nft: new Set(getSignedNames('nft')),
};

/**
 * Builds the canonical text that is signed for a widget URL (service interface, section 5.3): the signed
 * parameters that have a value, sorted by UTF-16 code unit and joined as `key=value` with `&`. Values are not
 * encoded, except `ext`, which is encoded with `encodeURIComponent`.
 *
 * @param params - Every parameter of the URL; unsigned ones are ignored.
 * @param extraSignedNames - Parameter names outside section 4.7 that this service also signs.
 * @throws RampError `ERR_PARAMS_INVALID` when `widget` is unknown, or when `ext` contains a lone surrogate.
 * @example
 * buildWidgetPayload('on-ramp', { partnerId: 'p1', timestamp: '1657854065', nonce: '1', walletAddress: '0xF0', amount: '5' });
 * // 'nonce=1&partnerId=p1&timestamp=1657854065&walletAddress=0xF0'
 */
export function buildWidgetPayload(
  widget: Widget,
  params: WidgetParams,
  extraSignedNames?: readonly string[],
): string {
  if (!Object.hasOwn(signed, widget))
    throw createParamsError([{ param: 'widget', message: "must be 'on-ramp' or 'nft'" }]);
  const names = signed[widget];
  return Object.keys(params)
    .filter((name) => params[name] && (names.has(name) || extraSignedNames?.includes(name)))
    .sort()
    .map(
      (name) =>
        `${name}=${name === 'ext' ? encodeQueryValue(name, params.ext as string) : params[name]}`,
    )
    .join('&');
}
