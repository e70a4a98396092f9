import { createConfigError } from '../../protocol/errors/RampError.js';
import { findNearestName } from '../../protocol/findNearestName.js';
import type { CheckoutSelection } from '../../protocol/handler/selection.js';

/** A group of chains that share one format of addresses, such as Ethereum and Polygon. */
export type WalletFamily =
  | 'evm'
  | 'bitcoin'
  | 'litecoin'
  | 'dogecoin'
  | 'tron'
  | 'solana'
  | 'xrp'
  | 'stellar'
  | 'ton'
  | 'cardano'
  | 'sui'
  | 'aptos';

/**
 * The chains of service codes that the built-in table lacks or maps differently. A key is the code of a cryptocurrency
 * (`USDT_SPL`), its part after the last `_` (`SPL`), or a network (`kava_mainnet`). The value is a family or a chain,
 * such as `solana`. Any other value names your own chain, whose addresses are not checked.
 */
export type ChainTable = Readonly<Record<string, string>>;

/** A chain that a code or a network names. */
export interface Chain {
  readonly name: string;
  /** What shoppers call the chain. */
  readonly label: string;
  /** Absent for a chain that the partner added, whose addresses are not checked. */
  readonly family?: WalletFamily;
}

/** What shoppers call the address of each family, after "a" or "an". */
export const familyLabels: Readonly<Record<WalletFamily, string>> = {
  evm: 'EVM',
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  tron: 'Tron',
  solana: 'Solana',
  xrp: 'XRP Ledger',
  stellar: 'Stellar',
  ton: 'TON',
  cardano: 'Cardano',
  sui: 'Sui',
  aptos: 'Aptos',
};

const evmLabels: Readonly<Record<string, string>> = {
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  bsc: 'BNB Smart Chain',
  optimism: 'Optimism',
  arbitrum: 'Arbitrum',
  avalanche: 'Avalanche',
  fantom: 'Fantom',
  celo: 'Celo',
  harmony: 'Harmony',
  base: 'Base',
};

// These are Maps because the names come from a page, and an object inherits names such as `constructor`.
const knownChains: ReadonlyMap<string, Chain> = new Map([
  ...Object.entries(evmLabels).map(
    ([name, label]) => [name, { name, label, family: 'evm' }] as [string, Chain],
  ),
  ...Object.entries(familyLabels).map(
    ([name, label]) => [name, { name, label, family: name }] as [string, Chain],
  ),
]);

/** Chains by the symbol of their own coin. A symbol such as POL, which is sold on several chains, is not here. */
const chainOfSymbol: ReadonlyMap<string, string> = new Map([
  ['BTC', 'bitcoin'],
  ['ETH', 'ethereum'],
  ['LTC', 'litecoin'],
  ['DOGE', 'dogecoin'],
  ['TRX', 'tron'],
  ['SOL', 'solana'],
  ['XRP', 'xrp'],
  ['XLM', 'stellar'],
  ['TON', 'ton'],
  ['ADA', 'cardano'],
  ['SUI', 'sui'],
  ['APT', 'aptos'],
]);

/** Chains by the second part of a `<SYMBOL>_<CHAIN>` code. */
const chainOfSuffix: ReadonlyMap<string, string> = new Map([
  ['ERC20', 'ethereum'],
  ['TRC20', 'tron'],
  ['BEP20', 'bsc'],
  ['BSC', 'bsc'],
  ['Polygon', 'polygon'],
  ['Arbitrum', 'arbitrum'],
  ['Optimism', 'optimism'],
  ['Base', 'base'],
  ['CChain', 'avalanche'],
  ['Solana', 'solana'],
]);

/** Returns the text that a table has for a name. It ignores inherited names, because the name may come from a page. */
export const getOwn = (
  table: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined => {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const toChain = (name: string | undefined): Chain | undefined =>
  name === undefined ? undefined : (knownChains.get(name) ?? { name, label: name });

/** Returns the chain of a cryptocurrency code, or undefined if the code is unknown. Codes are case-sensitive. */
export function findChainOfCode(code: string, chains: ChainTable = {}): Chain | undefined {
  const at = code.lastIndexOf('_');
  const suffix = at < 0 ? code : code.slice(at + 1);
  const builtIn = at < 0 ? chainOfSymbol : chainOfSuffix;
  return toChain(getOwn(chains, code) ?? getOwn(chains, suffix) ?? builtIn.get(suffix));
}

/** Returns the chain of a network such as `ethereum_mainnet` or `ethereum`, or undefined if it is unknown. */
export function findChainOfNetwork(network: string, chains: ChainTable = {}): Chain | undefined {
  const name = network.replace(/_mainnet$/, '');
  const own = getOwn(chains, network) ?? getOwn(chains, name);
  return own === undefined ? knownChains.get(name) : toChain(own);
}

/** What the widget offers first if the page names no cryptocurrency (service interface, section 4.7). */
const DEFAULT_CODE = 'USDT_ERC20';

interface SelectedChain {
  /** Absent if the page names a coin or a network that the table lacks. */
  readonly chain?: Chain | undefined;
  /** The symbol of the selected coin, such as `USDT`. Absent if only the network is known. */
  readonly symbol?: string | undefined;
}

/** Returns the chain of the coin that the widget selects at the start (service interface, section 4.7). */
export function findSelectedChain(
  selection: CheckoutSelection | undefined,
  chains?: ChainTable,
): SelectedChain {
  const offered = toList(selection?.cryptoCurrency);
  const preselected = selection?.defaultCurrency as unknown;
  // The widget ignores a preselected coin that it does not offer.
  const isOffered =
    typeof preselected === 'string' &&
    preselected !== '' &&
    (offered.length === 0 || offered.includes(preselected));
  const first = isOffered ? preselected : (offered[0] ?? DEFAULT_CODE);
  const coins = [...new Set([first, ...offered])].map((code) => ({
    chain: findChainOfCode(code, chains),
    symbol: findSymbol(code),
  }));
  const networks = toList(selection?.cryptoNetwork);
  if (networks.length === 0) return coins[0] ?? {};
  const names = networks.map((network) => findChainOfNetwork(network, chains)?.name);
  if (names.length === 1)
    return {
      chain: toChain(names[0]),
      symbol: coins.find(({ chain }) => chain?.name === names[0])?.symbol,
    };
  for (const coin of coins) {
    if (coin.chain && names.includes(coin.chain.name)) return coin;
    // The widget may offer this coin on a network that the table lacks.
    if (!coin.chain || names.includes(undefined)) break;
  }
  return {};
}

function toList(value: unknown): readonly string[] {
  return typeof value === 'string' ? value.split(',').filter(Boolean) : [];
}

const findSymbol = (code: string): string | undefined =>
  /^([A-Z0-9]{2,10})(?:_[A-Za-z0-9]+)?$/.exec(code)?.[1];

/** Puts "a" or "an" before words that begin with a label. */
export const addArticle = (words: string): string =>
  `${/^(?:[AEIO]|XRP)/.test(words) ? 'an' : 'a'} ${words}`;

/**
 * Refuses misspelt names. Short names are not checked, because one letter may be another chain: SEI is not SUI.
 *
 * @throws RampError `ERR_CONFIG_INVALID` for a name that resembles a family or a chain.
 */
export function checkNames(
  owner: string,
  what: string,
  names: readonly string[],
  own: readonly string[] = [],
): void {
  const known = [...knownChains.keys(), ...own];
  for (const name of names) {
    const isChecked = name.length >= 5 && !known.includes(name);
    const nearest = isChecked && findNearestName(name, known);
    if (nearest) throw createConfigError(owner, `has no ${what} ${name}. Did you mean ${nearest}?`);
  }
}

/**
 * Validates the option `chains`.
 *
 * @throws RampError `ERR_CONFIG_INVALID`
 */
export function parseChains(owner: string, chains: unknown): ChainTable {
  const isTable =
    Object.prototype.toString.call(chains) === '[object Object]' &&
    Object.values(chains as object).every((name) => typeof name === 'string' && name !== '');
  if (!isTable)
    throw createConfigError(
      owner,
      "expects an object of names as chains, such as { USDT_SPL: 'solana' }.",
    );
  checkNames(owner, 'chain', Object.values(chains as ChainTable));
  return chains as ChainTable;
}
