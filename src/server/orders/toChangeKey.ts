import type { OrderRecord } from './OrderRecord.js';

/** Names a change of an order: the same for whoever sees it again. */
export const toChangeKey = ({ order: { orderId, state } }: OrderRecord): string =>
  `${orderId}:${state}`;
