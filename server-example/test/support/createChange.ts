import type { CheckoutIntent, PendingChange } from '@partner-ramp/react/server';
import { at } from './openInstance.js';

type Order = PendingChange['record']['order'];

interface ChangeFields {
  readonly orderId?: string;
  readonly reference?: string;
  readonly subject?: string;
  readonly state?: Order['state'];
  readonly print?: string;
  /** `MINT` prints can be sold any number of times. */
  readonly type?: 'MARKET' | 'MINT';
  readonly isLaterOrder?: true;
}

export const createIntent = (fields: ChangeFields = {}): CheckoutIntent => ({
  reference: fields.reference ?? 'r1',
  widget: 'nft',
  subject: fields.subject ?? 'u1',
  params: { type: fields.type ?? 'MARKET', merchantUniqueId: fields.print ?? 'print-0175' },
  createdAt: at - 60,
  expiresAt: at + 86_400,
});

/** Creates a change as the tracker delivers it: a matched order for a print. */
export function createChange(fields: ChangeFields = {}): PendingChange {
  const { orderId = 'o1', state = 'finished' } = fields;
  const intent = createIntent(fields);
  const order: Order = { orderId, orderStatus: 1, kind: 'nft', state, nftDetails: [] };
  const { isLaterOrder } = fields;
  const match = { reference: intent.reference, ...(isLaterOrder && { isLaterOrder }) };
  const matchStatus = { matchStatus: 'matched', ...match } as const;
  return {
    key: `${orderId}:${state}`,
    matchStatus: 'matched',
    record: { ...matchStatus, order, firstSeenAt: at, changedAt: at },
    intent,
    tries: 0,
  };
}
