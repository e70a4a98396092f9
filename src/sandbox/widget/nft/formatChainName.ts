/** The chains of docs/service-interface.md section 4.7. */
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

/** The same chains, in the spelling of URLs. */
export const chains: readonly string[] = Object.keys(names);

/** Returns the display name of a chain. An undocumented chain keeps the name of the URL. */
export const formatChainName = (network: string): string =>
  Object.hasOwn(names, network) ? (names[network] as string) : network;
