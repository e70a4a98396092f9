import type { RowOf } from '../../protocol/widget/widgetParameters.js';

type Given = Exclude<RowOf<'on-ramp'>, { managed: true }>;
type Wallet = Extract<Given, { name: 'walletAddress' } | { needs: 'walletAddress' }>;

type Value<Row> = Row extends { format: 'tokens' | 'fiats' }
  ? string | readonly string[]
  : Row extends { format: 'flag' }
    ? boolean | '0' | '1'
    : string;

type Props<Row extends { name: string }> = {
  readonly [R in Row as R['name']]?: Value<R> | undefined;
};

/**
 * The on-ramp parameters as props (docs/service-interface.md section 4.7). Amounts are decimal strings; lists
 * are arrays or comma-separated text; flags are booleans or `'0'` and `'1'`. A locked or hidden wallet
 * requires `walletAddress`, which may be `undefined` until a wallet is connected.
 */
export type OnRampParameterProps = Props<Exclude<Given, Wallet>> &
  (
    | (Props<Wallet> & { readonly walletAddress: string | undefined })
    | { readonly [R in Wallet as R['name']]?: undefined }
  );
