import { humanize } from './humanize.js';

/** Formats `ethereum_mainnet` as `Ethereum`. */
export const formatNetwork = (network = ''): string => humanize(network.replace(/_mainnet$/, ''));
