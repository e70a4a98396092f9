// Replaced with values by the build, like parameterNames.ts. In a separate module, because a button needs these
// only after a click.

import { valueFormats } from '../../protocol/widget/valueFormats.js';
import type { Widget, WidgetParameter } from '../../protocol/widget/widgetParameters.js';
import { getWidgetParameters, widgetParameters } from '../../protocol/widget/widgetParameters.js';

const listNames = (widget: Widget, test: (row: WidgetParameter) => boolean): readonly string[] =>
  getWidgetParameters(widget)
    .filter(test)
    .map((row) => row.name);

const isUnsigned = (row: WidgetParameter) => row.signed === 'never' || row.name === 'partnerId';

/** The on-ramp parameters that require a signer. */
export const premiumOnly = listNames('on-ramp', (row) => row.premiumOnly === true);

/** The unsigned parameters of each widget. */
export const unsignedNames: Readonly<Record<Widget, readonly string[]>> = {
  'on-ramp': listNames('on-ramp', isUnsigned),
  nft: listNames('nft', isUnsigned),
};

/** Every name of docs/service-interface.md section 4.7. Extra parameters must have other names. */
export const tableNames: readonly string[] = [...new Set(widgetParameters.map((row) => row.name))];

/** A pattern as text, because only JSON can ship as its value, and the rest of the message "must be …". */
interface FormatRule {
  readonly pattern: string;
  readonly words: string;
}

/** The formats of the amounts, codes and flags that the browser adds at opening. No backend checks them. */
export const unsignedFormats: Readonly<Record<Widget, Readonly<Record<string, FormatRule>>>> = {
  'on-ramp': listFormats('on-ramp'),
  nft: listFormats('nft'),
};

function listFormats(widget: Widget): Record<string, FormatRule> {
  const rows = getWidgetParameters(widget).filter(
    (row) => isUnsigned(row) && !row.managed && !/text|language/.test(row.format),
  );
  return Object.fromEntries(
    rows.map(({ name, format }) => {
      const { pattern, words } = valueFormats[format];
      return [name, { pattern: pattern.source, words }];
    }),
  );
}
