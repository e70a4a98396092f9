import type { ColumnType } from 'kysely';

/** PostgreSQL answers whole numbers of 64 bits as text. */
type Whole = ColumnType<number | string, number, number>;

/** The shop's own tables. They stand beside those of `sqlOrderStore`; times are Unix seconds. */
export interface ShopTables {
  /** Checkouts that a shopper opened or paid: what stands under "Your orders". */
  shop_checkouts: {
    reference: string;
    subject: string;
    /** None for a top-up. */
    print_id: string | null;
    quantity: number;
    opened_at: Whole;
    /** 1 once an order came for it. */
    has_order: number;
  };
  /** Who may buy a print of which there is one, and for how long nobody else may. */
  shop_reservations: {
    print_id: string;
    subject: string;
    /** Both accounts of one browser have the same. */
    visitor: string;
    /** When the first of the holds began that followed one another. */
    held_since: Whole;
    held_until: Whole;
  };
  /** Prints of which there is one, and the order that got it. */
  shop_sold: { print_id: string; order_id: string; subject: string };
  /** What the shop has done: it is asked to do it at least once, and does it once. */
  shop_changes: { key: string; at: Whole };
  /** Orders that are the shopper's, and when the shop's money had arrived. */
  shop_deliveries: {
    order_id: string;
    reference: string;
    subject: string;
    delivered_at: Whole;
    settled_at: Whole | null;
  };
  /** Paid orders that somebody has to look at. */
  shop_cases: {
    order_id: string;
    reference: string;
    reason: string;
    field: string | null;
    opened_at: Whole;
    handled_at: Whole | null;
  };
  /** How many webhooks of one kind came in a minute. */
  shop_webhooks: { minute: Whole; outcome: string; reason: string; count: Whole };
  /** Sessions of shoppers that were signed out. The cookie would be valid until `expires_at`. */
  shop_ended_sessions: { session_id: string; expires_at: Whole };
  /** Who is signed in as the operator, by a hash of what the cookie holds. */
  shop_operators: { token_hash: string; expires_at: Whole };
}
