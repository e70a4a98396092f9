import fc from 'fast-check';
import type {
  TrackerEvent,
  TrackerLimits,
} from '../../../src/server/orders/tracker/TrackerState.js';

const monotonicMs = fc.integer({ min: 0, max: 10 ** 9 });
const seconds = fc.integer({ min: 0, max: 2_000_000_000 });

/** Arbitrary events of a tracker. */
export const trackerEvents: fc.Arbitrary<TrackerEvent> = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      'started',
      'stopped',
      'tick-began',
      'plan-began',
      'plan-ended',
      'checkout-granted',
    ),
  }),
  fc.record({ type: fc.constant('scheduled' as const), dueMs: monotonicMs }),
  fc.record({ type: fc.constant('sync-ended' as const), atMs: monotonicMs }),
  fc.record({
    type: fc.constant('tick-result' as const),
    result: fc.constantFrom('synced', 'busy', 'failed'),
  }),
  fc.record({
    type: fc.constant('list-read' as const),
    startedAt: seconds,
    isFullSync: fc.boolean(),
    includesUnsettled: fc.boolean(),
  }),
  fc.record({ type: fc.constant('wide-read-failed' as const), startedAt: seconds }),
  fc.record({ type: fc.constant('sync-requested' as const), isFollowedUp: fc.boolean() }),
  fc.record({ type: fc.constant('synced' as const), recorded: fc.nat(3) }),
);

/** Arbitrary options that a tracker accepts. */
export const trackerLimits: fc.Arbitrary<TrackerLimits> = fc
  .tuple(fc.integer({ min: 1, max: 100_000 }), fc.nat(100_000))
  .map(([pollSeconds, more]) => ({ pollSeconds, maxPollSeconds: pollSeconds + more }));
