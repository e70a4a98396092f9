import type { ColumnType } from 'kysely';

/** PostgreSQL returns 64-bit integers as text. */
type Whole = ColumnType<number | string, number, number>;

/** The shop's tables, in the same database as those of `sqlOrderStore`. Times are Unix seconds. */
export interface ShopTables {
  /** Checkouts that a shopper opened or paid, for the page "Your orders". */
  shop_checkouts: {
    reference: string;
    subject: string;
    /** Null for a top-up. */
    print_id: string | null;
    quantity: number;
    opened_at: Whole;
    /** 1 once it has an order. */
    has_order: number;
  };
  /** Reservations of prints that exist once. */
  shop_reservations: {
    print_id: string;
    subject: string;
    /** Both accounts of one browser have the same. */
    visitor: string;
    /** When the first of the consecutive reservations began. */
    held_since: Whole;
    held_until: Whole;
    /** When the first of the reservations began that followed each other, of any visitor. */
    busy_since: Whole;
  };
  /** Sold prints that exist once, with their order. */
  shop_sold: { print_id: string; order_id: string; subject: string };
  /** Keys of the order changes that were applied. They are delivered at least once and applied once. */
  shop_changes: { key: string; at: Whole };
  /** Delivered orders, and when they were settled. */
  shop_deliveries: {
    order_id: string;
    reference: string;
    subject: string;
    delivered_at: Whole;
    settled_at: Whole | null;
  };
  /** Paid orders that need the operator's attention. */
  shop_cases: {
    order_id: string;
    reference: string;
    reason: string;
    field: string | null;
    opened_at: Whole;
    handled_at: Whole | null;
  };
  /** The number of webhooks with one outcome within a minute. */
  shop_webhooks: { minute: Whole; outcome: string; reason: string; count: Whole };
  /** Sessions of shoppers that were signed out. The cookie would be valid until `expires_at`. */
  shop_ended_sessions: { session_id: string; expires_at: Whole };
  /** Sessions of the operator, by the hash of their token. */
  shop_operators: { token_hash: string; expires_at: Whole };
}
