/** The chains that section 4.7 names. */
const names: Readonly<Record<string, string>> = {
  ethereum: 'Ethereum',
  polygon: 'Polygon',
  bsc: 'BNB Smart Chain',
  optimism: 'Optimism',
  arbitrum: 'Arbitrum',
  avalanche: 'Avalanche',
  fantom: 'Fantom',
  celo: 'Celo',
  harmony: 'Harmony',
};

/** Those chains, as a URL names them. */
export const chains: readonly string[] = Object.keys(names);

/** A chain as its people write it; one that was made on request as the URL does. */
export const formatChainName = (network: string): string =>
  Object.hasOwn(names, network) ? (names[network] as string) : network;
