import type { Widget, WidgetParameter } from './WidgetParameter.js';
import { widgetParameters } from './widgetParameters.js';

/** The literal type of a row of the table. */
type Row = (typeof widgetParameters)[number];

/** The rows of one widget. */
export type RowOf<W extends Widget> = Extract<
  Row,
  { widgets: readonly W[] } | { widgets: readonly ['on-ramp', 'nft'] }
>;

/** The parameter names of one widget. */
export type ParameterName<W extends Widget> = RowOf<W>['name'];

/** Returns the rows of `widget`, in the order of the table. */
export function getWidgetParameters(widget: Widget): readonly WidgetParameter[] {
  return (widgetParameters as readonly WidgetParameter[]).filter((row) =>
    row.widgets.includes(widget),
  );
}

/** Returns the names of the signed parameters of `widget` (docs/service-interface.md section 5.3). */
export function getSignedNames(widget: Widget): readonly string[] {
  return getWidgetParameters(widget)
    .filter((row) => row.signed === 'premium')
    .map((row) => row.name);
}
