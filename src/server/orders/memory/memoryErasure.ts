import { processRuntime } from '../../internal/runtime.js';
import {
  type ErasurePlan,
  type ErasureRequest,
  type KeptCheckout,
  parseErasure,
  planErasure,
  toErasedRecord,
  toPurgeRequest,
} from '../store/erasure.js';
import { type OrderRecord, toChangeKeys } from '../store/OrderRecord.js';
import type { OrderStore } from '../store/OrderStore.js';
import {
  copyData,
  type ErasedCheckout,
  getOrderNo,
  type MemoryCheckout,
  type MemoryTables,
} from './memoryCheckouts.js';

export const memoryErasure = (tables: MemoryTables): Pick<OrderStore, 'eraseSubject'> => ({
  async eraseSubject(subject, options) {
    const request = parseErasure(subject, options, processRuntime);
    let erased = 0;
    const kept: KeptCheckout[] = [];
    for (const checkout of listErasable(tables)) {
      if (getSubject(checkout) !== subject) continue;
      const plan = eraseCheckout(tables, checkout, request);
      if (plan.isErased) erased++;
      if (plan.kept) kept.push(plan.kept);
    }
    return copyData({ erased, kept });
  },
});

/** Erases the marked checkouts that nothing keeps any more. */
export function finishErasures(tables: MemoryTables, before: number): void {
  for (const checkout of listErasable(tables)) {
    const { erasesOrders } = checkout;
    if (erasesOrders !== undefined)
      eraseCheckout(tables, checkout, toPurgeRequest(before, !erasesOrders));
  }
}

/** Returns all checkouts that have data of a subject, even if only their orders. */
const listErasable = ({ checkouts, erased }: MemoryTables) => [
  ...checkouts.values(),
  ...[...erased.values()].filter(({ subject }) => subject !== undefined),
];

const getSubject = (checkout: MemoryCheckout | ErasedCheckout): string | undefined =>
  checkout.intent ? checkout.intent.subject : checkout.subject;

/**
 * Erases a checkout or a part of it, marks it for the purge, or leaves it. Returns the plan, and whether this call has
 * erased anything.
 */
function eraseCheckout(
  tables: MemoryTables,
  checkout: MemoryCheckout | ErasedCheckout,
  request: ErasureRequest,
): ErasurePlan & { readonly isErased: boolean } {
  const { records, changes } = tables;
  const { reference, expiresAt } = checkout.intent ?? checkout;
  const orders = [...checkout.orderIds].map((id) => records.get(id) as OrderRecord);
  const keys = orders.flatMap(toChangeKeys);
  const plan = planErasure(
    {
      reference,
      expiresAt,
      isOpened: checkout.openedAt !== undefined,
      orders,
      isUndelivered: keys.some((key) => changes.has(key)),
    },
    request,
  );
  const { action } = plan;
  delete checkout.erasesOrders;
  if (action === 'mark') checkout.erasesOrders = !request.keepOrders;
  const isErased = action === 'erase' || (action === 'strip' && checkout.intent !== undefined);
  if (action === 'erase')
    for (const record of orders) records.set(record.order.orderId, toErasedRecord(record));
  if (isErased) replaceByStub(tables, checkout, action === 'strip');
  return { ...plan, isErased };
}

/** Replaces a checkout by a stub, and deletes the log entries of its orders. */
function replaceByStub(
  tables: MemoryTables,
  checkout: MemoryCheckout | ErasedCheckout,
  keepsOrders: boolean,
): void {
  const { checkouts, byOrderNo, erased, events } = tables;
  const { reference, expiresAt } = checkout.intent ?? checkout;
  const { orderIds } = checkout;
  const merchantOrderNo = getOrderNo(checkout);
  const stub: ErasedCheckout = {
    reference,
    expiresAt,
    ...(merchantOrderNo && { merchantOrderNo }),
    ...(keepsOrders && { subject: getSubject(checkout) }),
    orderIds: keepsOrders ? orderIds : new Set(),
  };
  checkouts.delete(reference);
  erased.set(reference, stub);
  if (merchantOrderNo && byOrderNo.get(merchantOrderNo) === checkout)
    byOrderNo.set(merchantOrderNo, stub);
  tables.events = events.filter(({ record }) => !record || !orderIds.has(record.order.orderId));
}
