// Shipped as values, like parameter-names.ts; apart from it because a button needs these only once
// it is clicked.

import { parametersOf } from '../protocol/parametersOf.js';
import type { Widget, WidgetParameter } from '../protocol/widget-parameter.js';
import { widgetParameters } from '../protocol/widget-parameters.js';

const namesWhere = (widget: Widget, test: (row: WidgetParameter) => boolean): readonly string[] =>
  parametersOf(widget)
    .filter(test)
    .map((row) => row.name);

const isUnsigned = (row: WidgetParameter) => row.signed === 'never' || row.name === 'partnerId';

/** The on-ramp parameters that a page without a signer may not use. */
export const premiumOnly = namesWhere('on-ramp', (row) => row.premiumOnly === true);

/** What each widget takes unsigned. */
export const unsignedNames: Readonly<Record<Widget, readonly string[]>> = {
  'on-ramp': namesWhere('on-ramp', isUnsigned),
  nft: namesWhere('nft', isUnsigned),
};

/** Every name of section 4.7; an extra parameter may have none of them. */
export const tableNames: readonly string[] = [...new Set(widgetParameters.map((row) => row.name))];
