import type { AddressFamily } from './purchaseRules.js';

/** The properties of a coin that are the same on every network. */
interface Coin {
  readonly symbol: string;
  /** The base price of one unit in US dollars. The actual price moves around the base price. */
  readonly usd: string;
  /** Maximum deviation from the base price, in millionths of that price. */
  readonly swingPpm: number;
  /** The number of decimals to show for an amount. */
  readonly digits: number;
  /** The background color of the icon, dark enough for white text. */
  readonly colour: string;
  /** Codes of the fiat currencies that cannot buy the coin. */
  readonly notFor?: readonly string[];
}

interface Chain {
  /** `<chain>_<net>`, such as `ethereum_mainnet`. */
  readonly network: string;
  readonly networkName: string;
  readonly family: AddressFamily;
  /** The cost of one transfer in US dollars. */
  readonly gasUsd: string;
}

export interface CatalogCryptoCurrency extends Coin, Chain {
  /** `<SYMBOL>` or `<SYMBOL>_<CHAIN>`, such as `ETH` or `USDT_ERC20`. */
  readonly code: string;
}

const createCoin = (
  symbol: string,
  usd: string,
  digits: number,
  colour: string,
  notFor?: readonly string[],
): Coin => ({ symbol, usd, swingPpm: 5000, digits, colour, ...(notFor && { notFor }) });
const createStablecoin = (...fields: Parameters<typeof createCoin>): Coin => ({
  ...createCoin(...fields),
  swingPpm: 200,
});

const usdt = createStablecoin('USDT', '1.0015', 2, '#1f7a63');
const usdc = createStablecoin('USDC', '1.0002', 2, '#2563a8');
const eth = createCoin('ETH', '3120.50', 6, '#4d5fb3');
const btc = createCoin('BTC', '96540.00', 8, '#b2640c');
const sol = createCoin('SOL', '186.40', 5, '#6a46b8');
const bnb = createCoin('BNB', '612.30', 5, '#8f6a00');
const pol = createCoin('POL', '0.4125', 2, '#7438b0');
const avax = createCoin('AVAX', '28.75', 4, '#b83238');
const trx = createCoin('TRX', '0.1634', 2, '#a62a44', ['JPY']);

function createChain(
  name: string,
  networkName: string,
  family: AddressFamily,
  gasUsd: string,
): (coin: Coin, suffix?: string) => CatalogCryptoCurrency {
  const on: Chain = { network: `${name}_mainnet`, networkName, family, gasUsd };
  return (coin, suffix) => ({
    code: suffix ? `${coin.symbol}_${suffix}` : coin.symbol,
    ...coin,
    ...on,
  });
}

const ethereum = createChain('ethereum', 'Ethereum', 'evm', '1.20');
const polygon = createChain('polygon', 'Polygon', 'evm', '0.05');
const arbitrum = createChain('arbitrum', 'Arbitrum', 'evm', '0.10');
const base = createChain('base', 'Base', 'evm', '0.06');
const bsc = createChain('bsc', 'BNB Smart Chain', 'evm', '0.15');
const avalanche = createChain('avalanche', 'Avalanche', 'evm', '0.12');
const tron = createChain('tron', 'Tron', 'tron', '0.90');
const solana = createChain('solana', 'Solana', 'solana', '0.02');
const bitcoin = createChain('bitcoin', 'Bitcoin', 'bitcoin', '1.75');

export const cryptoCurrencies: readonly CatalogCryptoCurrency[] = [
  ethereum(usdt, 'ERC20'),
  tron(usdt, 'TRC20'),
  polygon(usdt, 'Polygon'),
  ethereum(usdc, 'ERC20'),
  polygon(usdc, 'Polygon'),
  base(usdc, 'Base'),
  solana(usdc, 'Solana'),
  ethereum(eth),
  arbitrum(eth, 'Arbitrum'),
  bitcoin(btc),
  solana(sol),
  bsc(bnb, 'BSC'),
  polygon(pol, 'Polygon'),
  avalanche(avax, 'CChain'),
  tron(trx),
];

const pricesNfts: ReadonlySet<string> = new Set([
  'USDC_ERC20',
  'USDC_Polygon',
  'ETH',
  'ETH_Arbitrum',
  'BNB_BSC',
  'POL_Polygon',
  'AVAX_CChain',
]);

/** The cryptocurrencies in which an NFT may be priced. The API lists them for `buyType=nft`. */
export const nftCryptoCurrencies = cryptoCurrencies.filter(({ code }) => pricesNfts.has(code));
