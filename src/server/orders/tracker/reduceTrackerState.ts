import { MAX_WIDE_RETRY_SECONDS } from './nextDelay.js';
import type { TrackerEvent, TrackerLimits, TrackerState } from './TrackerState.js';

/** The pause after an announced order: the order list may not have it yet. */
const ANNOUNCED_SECONDS = 5;

/** Returns the state of a tracker after an event. Pure: it does not read a clock or change its arguments. */
export function reduceTrackerState(
  state: TrackerState,
  event: TrackerEvent,
  limits: TrackerLimits,
): TrackerState {
  const { pollSeconds } = limits;
  switch (event.type) {
    case 'started':
    case 'stopped':
      return { ...state, status: event.type };
    case 'scheduled':
      return { ...state, dueMs: event.dueMs };
    case 'tick-began':
      return {
        ...state,
        isTicking: true,
        isCheckoutGranted: false,
        isSyncRequested: false,
        isRequestPending: state.isRequestPending || state.isSyncRequested,
      };
    case 'tick-result':
      return applyResult(state, event.result);
    case 'plan-began':
      return {
        ...state,
        isTicking: true,
        // A plan after a sync includes what happened during the sync.
        isCheckoutGranted: state.isTicking && state.isCheckoutGranted,
      };
    case 'plan-ended':
      return {
        ...state,
        isTicking: false,
        failures: state.result === 'failed' ? state.failures : 0,
      };
    case 'list-read': {
      const { startedAt, isFullSync, includesUnsettled } = event;
      return {
        ...state,
        ...(isFullSync && { fullSyncAt: startedAt }),
        ...(includesUnsettled && { settlementSyncAt: startedAt }),
        ...((isFullSync || includesUnsettled) && { wideFailures: 0, wideRetryAt: 0 }),
      };
    }
    case 'wide-read-failed': {
      const retrySeconds = Math.min(pollSeconds * 2 ** state.wideFailures, MAX_WIDE_RETRY_SECONDS);
      return {
        ...state,
        wideFailures: state.wideFailures + 1,
        wideRetryAt: event.startedAt + retrySeconds,
      };
    }
    case 'synced':
      return applySync(state, event.recorded, limits);
    case 'sync-ended':
      return { ...state, endedMs: event.atMs };
    case 'sync-requested':
      return {
        ...state,
        isSyncRequested: true,
        ...(event.isFollowedUp && {
          isFollowingUp: true,
          nextPauseSeconds: Math.min(ANNOUNCED_SECONDS, pollSeconds),
        }),
      };
    case 'checkout-granted':
      return {
        ...state,
        nextPauseSeconds: pollSeconds,
        isCheckoutGranted: state.isCheckoutGranted || state.isTicking,
      };
  }
}

function applyResult(state: TrackerState, result: TrackerState['result']): TrackerState {
  if (result === 'failed') return { ...state, result, failures: state.failures + 1 };
  return result === 'synced' ? { ...state, result, isRequestPending: false } : { ...state, result };
}

/** Doubles the pause after a sync that did not record an order. A recorded order may be another than an announced one. */
function applySync(state: TrackerState, recorded: number, limits: TrackerLimits): TrackerState {
  const { pollSeconds, maxPollSeconds } = limits;
  const { nextPauseSeconds } = state;
  const pauseSeconds = recorded > 0 ? Math.min(pollSeconds, nextPauseSeconds) : nextPauseSeconds;
  return {
    ...state,
    pauseSeconds,
    nextPauseSeconds: Math.min(pauseSeconds * 2, maxPollSeconds),
    isFollowingUp: state.isFollowingUp && pauseSeconds < pollSeconds,
  };
}
