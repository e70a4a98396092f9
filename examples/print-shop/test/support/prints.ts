import type { Checkout } from '@partner-ramp/react/server';
import { nftCheckout, nftOrder } from '../../../../test/support/server/orderFixtures.js';
import { at } from './openInstance.js';

type Order = ReturnType<typeof nftOrder>;

interface PrintFields {
  readonly orderId?: string;
  readonly reference?: string;
  readonly subject?: string;
  readonly state?: Order['state'];
  readonly orderStatus?: number;
  /** `MINT` prints can be sold any number of times. */
  readonly type?: 'MARKET' | 'MINT';
  readonly tokenId?: string;
}

const toDetails = ({ type = 'MARKET', tokenId }: PrintFields) => ({
  type,
  merchantUniqueId: 'print-0175',
  ...(tokenId && { tokenId }),
});

/** Creates the checkout of a print. */
export const printCheckout = (fields: PrintFields = {}): Checkout =>
  nftCheckout({
    reference: fields.reference ?? 'r1',
    subject: fields.subject ?? 'u1',
    params: toDetails(fields),
    createdAt: at - 60,
    expiresAt: at + 86_400,
  });

/** Creates an order for a print, as the service lists it. */
export const printOrder = (fields: PrintFields = {}): Order => {
  const { orderId = 'o1', reference = 'r1', state = 'finished', orderStatus } = fields;
  const details = toDetails(fields);
  return nftOrder(state, { orderId, ext: reference, details, ...(orderStatus && { orderStatus }) });
};
