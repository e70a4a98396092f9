import type { PaymentOption } from '../../protocol/resources.js';
import { compareDecimals, isDecimal } from './compareDecimals.js';

/** The limit that an amount is beyond. */
export interface AmountLimit {
  readonly status: 'below' | 'above';
  /** The least or the most that may be paid. */
  readonly limit: string;
}

/**
 * Whether an amount is outside the limits of the chosen payment method or, where none is chosen, of
 * all of them. A method without a limit has none.
 */
export function limitOf(
  amount: string,
  methods: readonly PaymentOption[],
): AmountLimit | undefined {
  const least = widest(
    methods.map(({ minAmount }) => minAmount),
    -1,
  );
  if (least && compareDecimals(amount, least) < 0) return { status: 'below', limit: least };
  const most = widest(
    methods.map(({ maxAmount }) => maxAmount),
    1,
  );
  if (most && compareDecimals(amount, most) > 0) return { status: 'above', limit: most };
  return undefined;
}

/** The least of the figures, or the most; none as soon as one is missing. */
function widest(figures: readonly (string | undefined)[], direction: 1 | -1): string | undefined {
  if (!figures.every(isDecimal)) return undefined;
  return figures.reduce<string | undefined>(
    (found, figure) =>
      found === undefined || compareDecimals(figure, found) * direction > 0 ? figure : found,
    undefined,
  );
}
