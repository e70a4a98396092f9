import { WebhookError } from '@partner-ramp/react/server';

export interface RefusalReport {
  /** Counts a refused webhook. Returns false for every other error. */
  count(error: unknown): boolean;
  /** Reports what is counted, if anything. */
  flush(): void;
}

const EVERY_MS = 60_000;

/**
 * Creates a report of refused webhooks: once a minute, with their number by reason. Anybody can
 * send them, so an error with a stack for each would let anybody fill the log.
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

/** The sender is not at fault, so the cause belongs in the log. */
const isOwnFault = ({ reason }: WebhookError) =>
  reason === 'replay-store' || reason === 'unexpected';
