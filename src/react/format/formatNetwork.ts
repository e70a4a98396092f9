import { humanize } from './humanize.js';

/** `ethereum_mainnet` as `Ethereum`. */
export const formatNetwork = (network = ''): string => humanize(network.replace(/_mainnet$/, ''));
