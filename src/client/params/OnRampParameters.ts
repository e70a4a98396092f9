import type {
  FormatValues,
  ParameterFormat,
  RowOf,
} from '../../protocol/widget/widgetParameters.js';

/** The parameters that a page may set itself. */
export type OnRampRow = Exclude<RowOf<'on-ramp'>, { managed: true }>;

type ParameterRow = { name: string; format: ParameterFormat };

type Value<R extends ParameterRow> = R extends { format: 'tokens' | 'fiats' }
  ? string | readonly string[]
  : R extends { format: 'flag' }
    ? boolean | '0' | '1'
    : FormatValues[R['format']];

/** Parameters as props: lists are arrays or comma-separated text, flags are booleans or `'0'` and `'1'`. */
export type ParameterProps<Rows extends ParameterRow> = {
  readonly [R in Rows as R['name']]?: Value<R> | undefined;
};
