// The build replaces these constants with their values, like those in parameterNames.ts. They are in a separate module,
// because a button needs them only after a click, so they can load later.

import { valueFormats } from '../../protocol/widget/valueFormats.js';
import type { Widget, WidgetParameter } from '../../protocol/widget/widgetParameters.js';
import { getWidgetParameters, widgetParameters } from '../../protocol/widget/widgetParameters.js';

const listNames = (widget: Widget, test: (row: WidgetParameter) => boolean): readonly string[] =>
  getWidgetParameters(widget)
    .filter(test)
    .map((row) => row.name);

const isUnsigned = (row: WidgetParameter) => row.signed === 'never' || row.name === 'partnerId';

/** The on-ramp parameters that only Premium Partners may send. They must be signed, so they require a signer. */
export const premiumOnly = listNames('on-ramp', (row) => row.premiumOnly === true);

/** For each widget, the parameters that a page may send unsigned. */
export const unsignedNames: Readonly<Record<Widget, readonly string[]>> = {
  'on-ramp': listNames('on-ramp', isUnsigned),
  nft: listNames('nft', isUnsigned),
};

/** Every parameter name in section 4.7 of the service interface. `extraParams` must not contain any of them. */
export const tableNames: readonly string[] = [...new Set(widgetParameters.map((row) => row.name))];

/** A value format. Its pattern is text, because the build can inline only JSON values. `words` follow "must be". */
interface FormatRule {
  readonly pattern: string;
  readonly words: string;
}

/**
 * The formats of unsigned amounts, codes and flags. The browser checks them, because it adds these parameters to the
 * URL itself and no backend sees them.
 */
export const unsignedFormats: Readonly<Record<Widget, Readonly<Record<string, FormatRule>>>> = {
  'on-ramp': listFormats('on-ramp'),
  nft: listFormats('nft'),
};

/** The format of a language code, as text. */
export const languagePattern: string = valueFormats.language.pattern.source;

function listFormats(widget: Widget): Record<string, FormatRule> {
  const rows = getWidgetParameters(widget).filter(
    (row) => isUnsigned(row) && !row.managed && row.format !== 'text' && row.format !== 'language',
  );
  return Object.fromEntries(
    rows.map(({ name, format }) => {
      const { pattern, words } = valueFormats[format];
      return [name, { pattern: pattern.source, words }];
    }),
  );
}
