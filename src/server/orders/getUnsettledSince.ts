import type { Order } from '../../protocol/api/resources.js';

/** When an order finished whose NFT is not settled: as nearly as the service says. */
export const getUnsettledSince = ({ kind, state, ...order }: Order): number | undefined => {
  const { finishTime, deliverTime, payTime } = order;
  if (kind !== 'nft' || state === 'settled') return undefined;
  return finishTime || deliverTime || payTime || undefined;
};
