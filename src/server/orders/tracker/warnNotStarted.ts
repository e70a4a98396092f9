import type { TrackerSettings } from './parseTrackerOptions.js';

/** Warns once in development that a tracker is used but was never started, unless it may not use timers. */
export function warnNotStarted(
  { runtime, timers }: Pick<TrackerSettings, 'runtime' | 'timers'>,
  consequence: string,
): void {
  if (!timers || !runtime.isFirst('not started')) return;
  runtime.warnOnce(
    `${consequence} Call tracker.start() once when your server starts. In serverless functions, create the tracker with timers: false and call tracker.sync() from a scheduled job.`,
  );
}
