import { describe, expect, it } from 'vitest';
import {
  beginSync,
  completeRange,
  failRange,
  formatSyncState,
  getWatermark,
  keepCursor,
  mayRead,
  newSyncState,
  parseSyncState,
  type SyncState,
  shortenPart,
} from '../../../../src/server/orders/tracker/syncState.js';
import { baseTime as now } from '../../../support/server/orderFixtures.js';

const HOUR = 3600;
const DAY = 86_400;

describe('the state of the syncs', () => {
  it('is the same after it was stored', () => {
    const cursor = { begunAt: now, from: now - DAY, partSeconds: 7 };
    const state: SyncState = {
      ...keepCursor(beginSync(newSyncState, now), 'daily', cursor),
      reported: ['abcdefgh'],
    };
    expect(parseSyncState(formatSyncState(state))).toEqual(state);
  });

  it('fits into 4 KB with the most that it may hold', () => {
    const reported = Array(100).fill('abcdefgh');
    const cursor = { begunAt: now, from: now, partSeconds: 7 * DAY };
    let state: SyncState = { ...newSyncState, reported, firstAt: now, begunAt: now, endedAt: now };
    for (const name of ['newest', 'unsettled', 'daily'] as const)
      state = keepCursor(failRange(completeRange(state, name, now), name, now), name, cursor);
    expect(formatSyncState(state).length).toBeLessThan(4096);
  });

  it.each([
    ['nothing', undefined],
    ['another format', '{"format":1,"begunAt":5}'],
    ['no JSON', '{'],
  ])('is that of a new shop if the store has %s', (_, text) => {
    expect(parseSyncState(text)).toEqual(newSyncState);
  });

  it('has a watermark once the newest orders and the past week were read', () => {
    const newest = completeRange(newSyncState, 'newest', now);
    expect(getWatermark(newSyncState)).toBeUndefined();
    expect(getWatermark(newest)).toBeUndefined();
    expect(getWatermark(completeRange(newest, 'daily', now - DAY))).toBe(now);
  });
});

describe('a sync that begins', () => {
  it('keeps when the first one began', () => {
    const first = beginSync(newSyncState, now);
    expect(beginSync({ ...first, endedAt: now }, now + 50).firstAt).toBe(now);
  });

  it('does not believe in a first one in the future', () => {
    const first = beginSync(newSyncState, now + 400 * DAY);
    expect(beginSync({ ...first, endedAt: now }, now).firstAt).toBe(now);
  });

  const cursor = { begunAt: now - 60, from: now - DAY };
  const reading = keepCursor({ ...newSyncState, begunAt: now - 60 }, 'daily', cursor);

  it('reads a quarter of the rest at once if the process of the last one was killed', () => {
    const killed = beginSync(reading, now);
    expect(killed.ranges.daily.cursor).toEqual({ ...cursor, partSeconds: DAY / 4 });
    expect(beginSync(killed, now).ranges.daily.cursor?.partSeconds).toBe(DAY / 16);
  });

  it('reads a quarter of the newest orders up to now at once if it was killed in them', () => {
    const newest = { begunAt: now - 60, from: now - 60 - 7200 };
    const killed = keepCursor({ ...newSyncState, begunAt: now - 60 }, 'newest', newest);
    expect(beginSync(killed, now).ranges.newest.cursor?.partSeconds).toBe(7260 / 4);
  });

  it('shortens nothing if the last one has ended, or was killed while it delivered', () => {
    expect(beginSync({ ...reading, endedAt: now - 50 }, now).ranges).toEqual(reading.ranges);
    expect(beginSync({ ...reading, reading: undefined }, now).ranges).toEqual(reading.ranges);
  });
});

describe('a range', () => {
  it('pauses after a failure for a minute, and twice as long after each further one, up to an hour', () => {
    let state = newSyncState;
    const pauses = Array.from({ length: 8 }, () => {
      state = failRange(state, 'daily', now);
      return state.ranges.daily.notBefore - now;
    });
    expect(pauses).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600]);
    expect(mayRead(state.ranges.daily, now + 3599)).toBe(false);
    expect(mayRead(state.ranges.daily, now + 3600)).toBe(true);
  });

  it('pauses no longer than an hour, although it has failed by a clock that was ahead', () => {
    const { daily } = failRange(newSyncState, 'daily', now + DAY).ranges;
    expect(mayRead(daily, now)).toBe(true);
  });

  it('forgets its failures and its cursor when it is complete', () => {
    const failed = failRange(newSyncState, 'daily', now);
    const state = keepCursor(failed, 'daily', { begunAt: now, from: now - HOUR });
    expect(completeRange(state, 'daily', now).ranges.daily).toEqual({
      completeAt: now,
      failures: 0,
      notBefore: 0,
    });
  });

  it('is read in parts of two seconds at least', () => {
    expect(shortenPart({ begunAt: now, from: now - 5 }, 5).partSeconds).toBe(2);
  });
});
