// The build replaces these constants with their values (see vite.config.ts), so that the parameter table and its
// descriptions are not in the browser bundle.

import type { Widget, WidgetParameter } from '../../protocol/widget/widgetParameters.js';
import { getWidgetParameters } from '../../protocol/widget/widgetParameters.js';

/** The names of the widget parameters that a page may set. */
interface ParameterNames {
  /** Those that the page proposes to its signer. */
  readonly signed: readonly string[];
  /** Those that the browser adds to the URL itself. */
  readonly unsigned: readonly string[];
}

const isProposed = (row: WidgetParameter) => row.signed === 'premium' && row.name !== 'partnerId';

function listNames(widget: Widget): ParameterNames {
  const rows = getWidgetParameters(widget).filter((row) => !row.managed);
  return {
    signed: rows.filter(isProposed).map((row) => row.name),
    unsigned: rows.filter((row) => !isProposed(row)).map((row) => row.name),
  };
}

export const parameterNames: Readonly<Record<Widget, ParameterNames>> = {
  'on-ramp': listNames('on-ramp'),
  nft: listNames('nft'),
};
