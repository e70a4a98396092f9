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

type Wallet = Extract<OnRampRow, { name: 'walletAddress' } | { needs: 'walletAddress' }>;

/**
 * The on-ramp parameters as props (service interface, section 4.7). Amounts are decimal strings; lists
 * are arrays or comma-separated text; flags are booleans or `'0'` and `'1'`. A locked or hidden wallet
 * requires `walletAddress`, which may be `undefined` until a wallet is connected.
 */
export type OnRampParameterProps = ParameterProps<Exclude<OnRampRow, Wallet>> &
  (
    | (ParameterProps<Wallet> & { readonly walletAddress: string | undefined })
    | { readonly [R in Wallet as R['name']]?: undefined }
  );
