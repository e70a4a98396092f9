import type { Widget, WidgetParameter } from '../../../protocol/widget/WidgetParameter.js';
import { widgetParameters } from '../../../protocol/widget/widgetParameters.js';
import { decodeQuery } from '../../internal/decodeQuery.js';

/** The parsed query of a widget URL: its parameters and the text to sign. */
export interface WidgetQuery {
  readonly ok: true;
  readonly widget: Widget;
  /** Every parameter of the URL that has a value, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly signed: SignedItems;
  /** The text that the service signs for this query. */
  readonly payload: string;
}

/** An ambiguous query, which two parsers could read differently. */
export interface UnreadableQuery {
  readonly ok: false;
  readonly code: 10002;
  readonly reason: 'query';
  readonly message: string;
}

/** Names and values that take part in a signature, in the order in which they are joined. */
export type SignedItems = readonly (readonly [name: string, value: string])[];

const table: readonly WidgetParameter[] = widgetParameters;
const onRampNames = new Set(
  table.filter(({ widgets }) => widgets.includes('on-ramp')).map(({ name }) => name),
);
const nftOnly = table.map(({ name }) => name).filter((name) => !onRampNames.has(name));

/**
 * Parses the query of a widget URL as the service does (docs/service-interface.md section 5.3). It shares
 * only the names of the parameters with the signer, so that a fault in one of them does not cancel out in
 * the other.
 *
 * @param query - The query of the URL, percent-encoded, with or without `?`.
 * @param extraSigned - Names outside section 4.7 that this service signs too.
 */
export function readWidgetQuery(
  query: string,
  extraSigned: readonly string[] = [],
): WidgetQuery | UnreadableQuery {
  const read = decodeQuery(query);
  if (!read.ok) return { ok: false, code: 10002, reason: 'query', message: read.message };
  const { params } = read;
  const widget: Widget = nftOnly.some((name) => params[name]) ? 'nft' : 'on-ramp';
  const signed = selectSignedItems(widget, params, extraSigned);
  const payload = signed.map(([name, value]) => `${name}=${value}`).join('&');
  return { ok: true, widget, params, signed, payload };
}

function selectSignedItems(
  widget: Widget,
  params: WidgetQuery['params'],
  extra: readonly string[],
): SignedItems {
  const takesPart = (name: string) =>
    extra.includes(name) ||
    table.some(
      (row) => row.name === name && row.widgets.includes(widget) && row.signed === 'premium',
    );
  return Object.entries(params)
    .filter(([name]) => takesPart(name))
    .map(([name, value]) => [name, name === 'ext' ? encodeURIComponent(value) : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
