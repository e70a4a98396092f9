import type { ColumnType, Generated } from 'kysely';
import type { OrderRecord } from '../../orders/store/OrderRecord.js';

/** A whole number of 64 bits, which PostgreSQL returns as text. */
type Whole = ColumnType<number | string, number, number>;

/** The tables of a store. `toKey` creates the keys. JSON is stored as text, so that it does not change. */
export interface Tables {
  ramp_intents: {
    /** Of two intents with one order number, the one with the higher id is newer. */
    id: Generated<number | string>;
    reference: string;
    merchant_order_no: string | null;
    expires_at: Whole;
    /** When the checkout expires, while it is open. */
    open_until: Whole | null;
    outcome: string | null;
    /** When the state of the checkout was first requested, or its order announced. */
    opened_at: Whole | null;
    /** When a webhook announced an order of the checkout. */
    announced_at: Whole | null;
    /** The order that matched the intent first. */
    matched_order_id: string | null;
    intent: string;
  };
  ramp_orders: {
    order_id: string;
    /** The log entry that recorded the order first. */
    first_event_id: Whole;
    reference: string | null;
    match_status: OrderRecord['matchStatus'];
    changed_at: Whole;
    /** When the order finished, while its NFT is not settled. */
    unsettled_since: Whole | null;
    record: string;
  };
  ramp_events: {
    id: Whole;
    at: Whole;
    reference: string | null;
    outcome: string | null;
    record: string | null;
  };
  /** The outbox: changes that were not delivered yet. */
  ramp_changes: {
    key: string;
    event_id: Whole;
    reference: string | null;
    not_before: Whole;
    tries: Whole;
    record: string;
  };
  ramp_replays: {
    hash: string;
    keep_until: Whole;
  };
  /** One row. */
  ramp_state: {
    id: number;
    last_event_id: Whole;
    watermark: Whole | null;
    /** The instance that has the lease, which lasts until `lease_until`. */
    lease_owner: string | null;
    lease_until: Whole;
  };
  ramp_migrations: {
    version: number;
  };
}
