import type { Order } from '../../protocol/resources.js';

/** When an order finished whose NFT is not settled. */
export const unsettledSince = ({ kind, state, finishTime }: Order): number | undefined =>
  kind === 'nft' && state !== 'settled' && finishTime ? finishTime : undefined;
