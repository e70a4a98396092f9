interface Found {
  intents: readonly string[];
  orders: readonly { order_id: string; reference: string | null; match_status: string }[];
  deliveries: readonly { order_id: string; reference: string }[];
  /** The number of changes that are not delivered yet. */
  pending: number;
  cases: number;
}

interface Expected {
  acknowledged: readonly string[];
  orders: readonly { orderId: string; reference: string }[];
}

export function compareOutcome(
  expected: Expected,
  found: Found,
): { checkouts: Record<string, number>; orders: Record<string, number> };
