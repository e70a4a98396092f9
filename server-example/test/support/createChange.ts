import type { CheckoutIntent, PendingChange } from '@partner-ramp/react/server';
import { at } from './openInstance.js';

type Order = PendingChange['record']['order'];

interface Made {
  readonly orderId?: string;
  readonly reference?: string;
  readonly subject?: string;
  readonly state?: Order['state'];
  readonly print?: string;
  /** `MINT` prints can be sold any number of times. */
  readonly type?: 'MARKET' | 'MINT';
  readonly isLaterOrder?: true;
}

export const createIntent = (made: Made = {}): CheckoutIntent => ({
  reference: made.reference ?? 'r1',
  widget: 'nft',
  subject: made.subject ?? 'u1',
  params: { type: made.type ?? 'MARKET', merchantUniqueId: made.print ?? 'print-0175' },
  createdAt: at - 60,
  expiresAt: at + 86_400,
});

/** Creates a change as the tracker delivers it: a matched order of a print. */
export function createChange(made: Made = {}): PendingChange {
  const { orderId = 'o1', state = 'finished' } = made;
  const intent = createIntent(made);
  const order: Order = { orderId, orderStatus: 1, kind: 'nft', state, nftDetails: [] };
  const { isLaterOrder } = made;
  const match = { reference: intent.reference, ...(isLaterOrder && { isLaterOrder }) };
  const matchStatus = { matchStatus: 'matched', ...match } as const;
  return {
    key: `${orderId}:${state}`,
    record: { ...matchStatus, order, firstSeenAt: at, changedAt: at },
    intent,
    tries: 0,
  };
}
