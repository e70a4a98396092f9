import { formatUnits } from '../../../protocol/decimal/formatUnits.js';
import { parseDecimal } from '../../../protocol/decimal/parseDecimal.js';
import type { CatalogCryptoCurrency } from '../cryptoCurrencies.js';

/** A price holds this long, then it takes its next step. */
export const PRICE_STEP_MS = 10_000;

const PPM = 1_000_000n;

/** Steps after which a wave starts again; each counts as often as its weight says. */
const waves = [
  { period: 74, weight: 3 },
  { period: 26, weight: 1 },
] as const;

/**
 * The price of one, US dollars, at one moment of the clock: two waves about the price of the
 * catalog, never further from it than the coin's swing. The same at the same moment, on every
 * network of a coin, and exact.
 */
export function calculateUsdPrice(coin: CatalogCryptoCurrency, atMs: number): string {
  const { units, scale } = parseDecimal(coin.usd);
  return formatUnits(units * (PPM + calculateOffsetPpm(coin, atMs)), scale + 6);
}

function calculateOffsetPpm({ symbol, swingPpm }: CatalogCryptoCurrency, atMs: number): bigint {
  const step = Math.floor(atMs / PRICE_STEP_MS) + calculatePhase(symbol);
  const weights = waves.reduce((sum, { weight }) => sum + weight, 0);
  return waves.reduce(
    (sum, { period, weight }) =>
      sum +
      BigInt(swingPpm * weight * calculateTriangleWave(step, period)) / BigInt(weights * period),
    0n,
  );
}

/** Up and down in a straight line between `-period` and `period`, which must be even. */
function calculateTriangleWave(step: number, period: number): number {
  const at = ((step % period) + period) % period;
  return 4 * Math.abs(at - period / 2) - period;
}

/** Where a coin is in its waves at the start, so that they do not all rise at once. */
const calculatePhase = (symbol: string): number =>
  [...symbol].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 962, 0);
