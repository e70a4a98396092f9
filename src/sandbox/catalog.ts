import type { AddressFamily } from './wallet-address.js';

/** A currency one can pay in. Amounts are decimal strings in that currency. */
export interface FiatCurrency {
  /** ISO code. */
  readonly code: string;
  readonly name: string;
  /** How much of it one US dollar is. */
  readonly perUsd: string;
  /** Digits after the point that the currency has. */
  readonly digits: 0 | 2;
  readonly min: string;
  readonly max: string;
}

/** A cryptocurrency on one network. */
export interface CryptoCurrency {
  /** `<SYMBOL>` on its own chain, `<SYMBOL>_<CHAIN>` elsewhere. */
  readonly code: string;
  readonly symbol: string;
  /** `<chain>_<net>`. */
  readonly network: string;
  readonly networkName: string;
  readonly family: AddressFamily;
  /** Price of one, US dollars. */
  readonly usd: string;
  /** What one transfer costs, US dollars. */
  readonly gasUsd: string;
  /** Digits after the point that are worth showing. */
  readonly digits: number;
}

/** What the sandbox sells for. Rates never move, so that a test can rely on them. */
export const fiatCurrencies: readonly FiatCurrency[] = [
  { code: 'USD', name: 'US dollar', perUsd: '1', digits: 2, min: '15', max: '5000' },
  { code: 'EUR', name: 'Euro', perUsd: '0.92', digits: 2, min: '15', max: '5000' },
  { code: 'GBP', name: 'Pound sterling', perUsd: '0.79', digits: 2, min: '15', max: '4000' },
  { code: 'CHF', name: 'Swiss franc', perUsd: '0.88', digits: 2, min: '15', max: '4500' },
  { code: 'JPY', name: 'Japanese yen', perUsd: '151.20', digits: 0, min: '2500', max: '750000' },
  { code: 'BRL', name: 'Brazilian real', perUsd: '5.43', digits: 2, min: '80', max: '25000' },
  { code: 'THB', name: 'Thai baht', perUsd: '34.60', digits: 2, min: '550', max: '170000' },
  { code: 'AED', name: 'UAE dirham', perUsd: '3.6725', digits: 2, min: '60', max: '18000' },
];

type Chain = Pick<CryptoCurrency, 'network' | 'networkName' | 'family' | 'gasUsd'>;

function chain(
  name: string,
  networkName: string,
  family: AddressFamily,
  gasUsd: string,
): (code: string, usd: string, digits: number) => CryptoCurrency {
  const on: Chain = { network: `${name}_mainnet`, networkName, family, gasUsd };
  return (code, usd, digits) => ({
    code,
    symbol: code.replace(/_.*/, ''),
    ...on,
    usd,
    digits,
  });
}

const ethereum = chain('ethereum', 'Ethereum', 'evm', '1.20');
const polygon = chain('polygon', 'Polygon', 'evm', '0.05');
const arbitrum = chain('arbitrum', 'Arbitrum', 'evm', '0.10');
const base = chain('base', 'Base', 'evm', '0.06');
const bsc = chain('bsc', 'BNB Smart Chain', 'evm', '0.15');
const avalanche = chain('avalanche', 'Avalanche', 'evm', '0.12');
const tron = chain('tron', 'Tron', 'tron', '0.90');
const solana = chain('solana', 'Solana', 'solana', '0.02');
const bitcoin = chain('bitcoin', 'Bitcoin', 'bitcoin', '1.75');

/** What the sandbox sells. */
export const cryptoCurrencies: readonly CryptoCurrency[] = [
  ethereum('USDT_ERC20', '1.0015', 2),
  tron('USDT_TRC20', '1.0015', 2),
  polygon('USDT_Polygon', '1.0015', 2),
  ethereum('USDC_ERC20', '1.0002', 2),
  polygon('USDC_Polygon', '1.0002', 2),
  base('USDC_Base', '1.0002', 2),
  solana('USDC_Solana', '1.0002', 2),
  ethereum('ETH', '3120.50', 6),
  arbitrum('ETH_Arbitrum', '3120.50', 6),
  bitcoin('BTC', '96540.00', 8),
  solana('SOL', '186.40', 5),
  bsc('BNB_BSC', '612.30', 5),
  polygon('POL_Polygon', '0.4125', 2),
  avalanche('AVAX_CChain', '28.75', 4),
  tron('TRX', '0.1634', 2),
];

/** The one payment method: its name, the processing fee in hundredths of a percent. */
export const payment = { name: 'CREDIT_DEBIT_CARD', feeBasisPoints: 250n } as const;
