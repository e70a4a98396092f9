// Shipped as values, like parameterNames.ts; apart from it because a button needs these only once
// it is clicked.

import { getWidgetParameters } from '../../protocol/widget/getWidgetParameters.js';
import type { Widget, WidgetParameter } from '../../protocol/widget/WidgetParameter.js';
import { widgetParameters } from '../../protocol/widget/widgetParameters.js';

const listNames = (widget: Widget, test: (row: WidgetParameter) => boolean): readonly string[] =>
  getWidgetParameters(widget)
    .filter(test)
    .map((row) => row.name);

const isUnsigned = (row: WidgetParameter) => row.signed === 'never' || row.name === 'partnerId';

/** The on-ramp parameters that a page without a signer may not use. */
export const premiumOnly = listNames('on-ramp', (row) => row.premiumOnly === true);

/** What each widget takes unsigned. */
export const unsignedNames: Readonly<Record<Widget, readonly string[]>> = {
  'on-ramp': listNames('on-ramp', isUnsigned),
  nft: listNames('nft', isUnsigned),
};

/** Every name of section 4.7; an extra parameter may have none of them. */
export const tableNames: readonly string[] = [...new Set(widgetParameters.map((row) => row.name))];
