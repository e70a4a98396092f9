import { inWords } from './inWords.js';

/** `ethereum_mainnet` as `Ethereum`. */
export const networkName = (network = ''): string => inWords(network.replace(/_mainnet$/, ''));
