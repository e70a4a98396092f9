import { formatUnits } from '../../../protocol/decimal/formatUnits.js';
import { parseDecimal } from '../../../protocol/decimal/parseDecimal.js';
import type { CatalogCryptoCurrency } from '../cryptoCurrencies.js';

/** The time between two changes of a price. */
export const PRICE_STEP_MS = 10_000;

const PPM = 1_000_000n;

/** The period of each wave in steps, and its weight in the sum. */
const waves = [
  { period: 74, weight: 3 },
  { period: 26, weight: 1 },
] as const;

/**
 * Returns the price of one unit in US dollars at the time `atMs`: the price of the catalog plus two
 * waves, which deviate by at most the coin's swing. It is exact, deterministic, and the same on every
 * network of a coin.
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

/** Returns a triangle wave between `-period` and `period`, which must be even. */
function calculateTriangleWave(step: number, period: number): number {
  const at = ((step % period) + period) % period;
  return 4 * Math.abs(at - period / 2) - period;
}

/** Returns the phase of a coin's waves, so that the coins do not all rise together. */
const calculatePhase = (symbol: string): number =>
  [...symbol].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 962, 0);
