import { describe, expect, it } from 'vitest';
import { MIN_FOLLOW_UPS } from '../../../../src/server/orders/tracker/schedule.js';
import {
  createSyncMemory,
  formatSyncMemory,
  hashMessage,
  parseSyncMemory,
  planPause,
} from '../../../../src/server/orders/tracker/syncMemory.js';
import type { TrackerSettings } from '../../../../src/server/orders/tracker/trackerOptions.js';

const settings = { pollSeconds: 60, maxPollSeconds: 600 } as TrackerSettings;
const nothing = { recorded: 0, isAnnounced: false, isGranted: false };

/** Plans one pause after the other, and returns them with what the memory says afterwards. */
function plan(...runs: readonly Partial<typeof nothing>[]) {
  const memory = createSyncMemory(settings.pollSeconds);
  const pauses = runs.map((run) => {
    planPause(memory, settings, { ...nothing, ...run });
    return memory.pauseSeconds;
  });
  return { pauses, memory };
}

describe('planPause', () => {
  it('doubles the pause after each run that records nothing, up to maxPollSeconds', () => {
    expect(plan({}, {}, {}, {}, {}, {}).pauses).toEqual([60, 120, 240, 480, 600, 600]);
  });

  it('returns to pollSeconds when an order was recorded, or a checkout granted', () => {
    expect(plan({}, {}, { recorded: 1 }, {}).pauses).toEqual([60, 120, 60, 120]);
    expect(plan({}, {}, { isGranted: true }, {}).pauses).toEqual([60, 120, 60, 120]);
  });

  it('begins with five seconds after an announcement, which a recorded order does not lengthen', () => {
    expect(plan({}, { isAnnounced: true }, {}, {}).pauses).toEqual([60, 5, 10, 20]);
    expect(plan({ isAnnounced: true }, { recorded: 1 }, { recorded: 1 }).pauses).toEqual([
      5, 10, 20,
    ]);
    expect(plan({ isAnnounced: true, isGranted: true }).pauses).toEqual([5]);
  });

  it('follows an announcement for at least as many runs as a process that lives', () => {
    const announced = [
      { isAnnounced: true },
      ...Array.from({ length: MIN_FOLLOW_UPS }, () => ({})),
    ];
    const { memory, pauses } = plan(...announced);
    expect(memory.runsSinceAnnounced).toBe(MIN_FOLLOW_UPS);
    // The pause has reached pollSeconds with this run, so the next one is the last.
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(settings.pollSeconds);
    expect(plan(...announced, {}).memory.runsSinceAnnounced).toBeUndefined();
  });

  it('goes on following while the pause is shorter than pollSeconds', () => {
    const memory = createSyncMemory(60);
    planPause(memory, settings, { ...nothing, isAnnounced: true });
    for (let run = 0; run < 2 * MIN_FOLLOW_UPS; run++) {
      memory.nextPauseSeconds = 5;
      planPause(memory, settings, nothing);
    }
    expect(memory.runsSinceAnnounced).toBe(2 * MIN_FOLLOW_UPS);
  });

  it('follows nothing that was not announced', () => {
    expect(plan({}, { recorded: 1 }).memory.runsSinceAnnounced).toBeUndefined();
  });
});

describe('parseSyncMemory', () => {
  it('returns what was formatted', () => {
    const memory = { ...createSyncMemory(60), startedAt: 5, runsSinceAnnounced: 2 };
    expect(parseSyncMemory(formatSyncMemory(memory), 60)).toEqual(memory);
  });

  it.each([
    ['no text', undefined],
    ['text that is not JSON', '{'],
    ['another format', '{"format":2,"startedAt":5}'],
    ['no format', '{"startedAt":5}'],
  ])('begins anew with %s, and with nothing reported', (_, text) => {
    expect(parseSyncMemory(text, 15)).toEqual(createSyncMemory(15));
    expect(createSyncMemory(15)).toMatchObject({ pauseSeconds: 15, reported: [], fullSyncAt: 0 });
  });
});

describe('hashMessage', () => {
  it('tells messages apart in eight characters', () => {
    expect(hashMessage('a')).toMatch(/^[\w-]{8}$/);
    expect(hashMessage('a')).not.toBe(hashMessage('b'));
  });
});
