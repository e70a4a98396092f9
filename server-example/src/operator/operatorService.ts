import type { OrderRecord, OrderStore, OrderTracker, SyncReport } from '@partner-ramp/react/server';
import type { ShopDatabase } from '../database/ShopDatabase.js';
import type { WebhookCount, WebhookLog } from '../webhooks/createWebhookLog.js';
import { type OperatorCase, operatorCases } from './operatorCases.js';
import { type OperatorOrder, toOperatorOrders } from './toOperatorOrders.js';

interface OperatorOverview {
  readonly cases: readonly OperatorCase[];
  /** The number of open cases that are not in `cases`. */
  readonly moreCases: number;
  readonly sync?: SyncReport | undefined;
  readonly webhooks: readonly WebhookCount[];
}

interface OrderQuery {
  readonly matchStatus?: OrderRecord['matchStatus'] | undefined;
  readonly changedAt?: number | undefined;
  readonly orderId?: string | undefined;
}

/** The data and the actions of the operator page. */
export interface OperatorService {
  readOverview(): Promise<OperatorOverview>;
  listOrders(query: OrderQuery): Promise<{ orders: OperatorOrder[]; isMore: boolean }>;
  /** Closes a case. Returns whether there was an open one. */
  closeCase(orderId: string): Promise<boolean>;
}

const PAGE = 20;
const MAX_CASES = 50;
const MAX_WEBHOOK_COUNTS = 30;

interface OperatorServiceOptions {
  readonly database: ShopDatabase;
  readonly store: OrderStore;
  readonly tracker: Pick<OrderTracker, 'report'>;
  readonly webhookLog: Pick<WebhookLog, 'listLatest'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function operatorService({
  database,
  store,
  tracker,
  webhookLog,
  now,
}: OperatorServiceOptions): OperatorService {
  const cases = operatorCases(database, store, now);
  return {
    async readOverview() {
      const count = await cases.countOpen();
      const listed = await cases.listOpen(MAX_CASES);
      return {
        cases: listed,
        moreCases: count - listed.length,
        sync: tracker.report,
        webhooks: await webhookLog.listLatest(MAX_WEBHOOK_COUNTS),
      };
    },
    async listOrders({ matchStatus, changedAt, orderId }) {
      const isContinued = changedAt !== undefined && orderId !== undefined;
      const records = await store.listOrders({
        limit: PAGE + 1,
        ...(matchStatus && { matchStatus }),
        ...(isContinued && { before: { changedAt, order: { orderId } } }),
      });
      return {
        orders: await toOperatorOrders(database.db, records.slice(0, PAGE)),
        isMore: records.length > PAGE,
      };
    },
    closeCase: cases.close,
  };
}
