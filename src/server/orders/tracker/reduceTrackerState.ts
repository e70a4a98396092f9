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
    case 'tick-ended':
      return {
        ...state,
        isTicking: false,
        failures: state.result === 'failed' ? state.failures : 0,
      };
    case 'read-began':
      return { ...state, announced: [], confirming: joinUnique(state.confirming, state.announced) };
    case 'list-read': {
      const { startedAt, isFullSync, includesUnsettled } = event;
      return {
        ...state,
        ...(isFullSync && { fullSyncAt: startedAt }),
        ...(includesUnsettled && { settlementSyncAt: startedAt }),
      };
    }
    case 'read-ended':
      return {
        ...state,
        confirming: [],
        ...(!event.isConfirmed && { announced: joinUnique(state.announced, state.confirming) }),
      };
    case 'synced':
      return applySync(state, event.recorded, limits);
    case 'sync-ended':
      return { ...state, endedMs: event.atMs };
    case 'order-announced':
      return { ...state, announced: joinUnique(state.announced, [event.reference]) };
    case 'sync-requested':
      return {
        ...state,
        isSyncRequested: true,
        isOrderAnnounced: state.isOrderAnnounced || event.isAnnounced,
        nextPauseSeconds: Math.min(ANNOUNCED_SECONDS, pollSeconds),
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

/** Doubles the pause after a sync that did not record an order. */
function applySync(state: TrackerState, recorded: number, limits: TrackerLimits): TrackerState {
  const { pollSeconds, maxPollSeconds } = limits;
  const pauseSeconds = recorded > 0 ? pollSeconds : state.nextPauseSeconds;
  return {
    ...state,
    pauseSeconds,
    nextPauseSeconds: Math.min(pauseSeconds * 2, maxPollSeconds),
    isOrderAnnounced: state.isOrderAnnounced && pauseSeconds < pollSeconds,
  };
}

const joinUnique = (a: readonly string[], b: readonly string[]): readonly string[] => [
  ...new Set([...a, ...b]),
];
