import { WebhookError } from '@partner-ramp/react/server';

export interface RefusalReport {
  /** Counts the error of a refused webhook. Returns false, and counts nothing, for every other error. */
  count(error: unknown): boolean;
  /** Reports the pending counts now instead of at the end of the minute. */
  flush(): void;
}

const EVERY_MS = 60_000;

/**
 * Creates a report that gives the number of refused webhooks by reason, once a minute. If each refusal were logged with
 * its stack, any caller could fill the log by sending forged webhooks.
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

/** Returns whether the fault is the shop's own, not the caller's. Such an error must be logged with its cause. */
const isOwnFault = ({ reason }: WebhookError) =>
  reason === 'replay-store' || reason === 'unexpected';
