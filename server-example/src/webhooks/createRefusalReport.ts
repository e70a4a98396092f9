import { WebhookError } from '@partner-ramp/react/server';

export interface RefusalReport {
  /** Counts a refused webhook. Returns false for every other error. */
  count(error: unknown): boolean;
  /** Reports the counts, if any. */
  flush(): void;
}

const EVERY_MS = 60_000;

/**
 * Creates a report of refused webhooks: once a minute, with their number by reason. Any caller can send
 * them, so logging each one with a stack would let callers fill the log.
 *
 * @param report - Called with the number of refused webhooks by reason.
 */
export function createRefusalReport(
  report: (reasons: Readonly<Record<string, number>>) => void,
): RefusalReport {
  const reasons = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (reasons.size === 0) return;
    report(Object.fromEntries(reasons));
    reasons.clear();
  }

  return {
    flush,
    count(error) {
      if (!(error instanceof WebhookError) || isOwnFault(error)) return false;
      reasons.set(error.reason, (reasons.get(error.reason) ?? 0) + 1);
      timer ??= setTimeout(flush, EVERY_MS).unref();
      return true;
    },
  };
}

/** Returns whether the shop caused the error, so that the log must contain the cause. */
const isOwnFault = ({ reason }: WebhookError) =>
  reason === 'replay-store' || reason === 'unexpected';
