import type { PlannedMinute } from './plan.mjs';

interface Comparison {
  route: string;
  /** The p99 divided by the p99 of the first minute. */
  ratio: number;
}

export const routes: Readonly<Record<string, number>>;
export function percentile(values: readonly number[], share: number): number | undefined;
export function classify(
  response: { route: string; status?: number | undefined; code?: string | undefined },
  state: { isDown: boolean; isFaulty: boolean },
): 'ok' | 'sandbox' | 'stopped' | 'error';
export function comparePercentiles(
  times: Readonly<Record<string, Readonly<Record<number, readonly number[]>>>>,
  plan: readonly PlannedMinute[],
  limit: number,
): { compared: Comparison[]; slow: Comparison[] };
export function growth(values: readonly number[]): number;
