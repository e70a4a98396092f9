// Replaced with values by the build, like parameterNames.ts. In a separate module, because a button needs these
// only after a click.

import { getWidgetParameters } from '../../protocol/widget/getWidgetParameters.js';
import type { Widget, WidgetParameter } from '../../protocol/widget/WidgetParameter.js';
import { widgetParameters } from '../../protocol/widget/widgetParameters.js';

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
