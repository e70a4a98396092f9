import type { ColumnType, Generated } from 'kysely';
import type { OrderRecord } from '../../orders/store/OrderRecord.js';

/** PostgreSQL answers whole numbers of 64 bits as text. */
type Whole = ColumnType<number | string, number, number>;

/** The tables of a store. Keys are texts by `keyOf`; what is kept as JSON is kept to the letter. */
export interface Tables {
  ramp_intents: {
    /** Of two with one order number the one with the higher id is the newer. */
    id: Generated<number | string>;
    reference: string;
    merchant_order_no: string | null;
    expires_at: Whole;
    /** When it expires, while it is open. */
    open_until: Whole | null;
    outcome: string | null;
    /** When its state was first requested or its order announced. */
    opened_at: Whole | null;
    /** The order that it was matched with first. */
    matched_order_id: string | null;
    intent: string;
  };
  ramp_orders: {
    order_id: string;
    /** The entry of the log with which it came. */
    first_event_id: Whole;
    reference: string | null;
    match_status: OrderRecord['matchStatus'];
    changed_at: Whole;
    /** When it finished, while its NFT is not settled. */
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
  /** Changes that the partner has not taken yet. */
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
    /** Who syncs, and until when nobody else does. */
    lease_owner: string | null;
    lease_until: Whole;
  };
  ramp_migrations: {
    version: number;
  };
}
