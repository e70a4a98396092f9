import { describe, expect, it } from 'vitest';
import { createReportLimit } from '../../../src/server/internal/errorReports.js';

describe('createReportLimit', () => {
  it('allows each kind once a minute', () => {
    let now = 0;
    const isDue = createReportLimit({ monotonic: () => now });
    const ask = (...kinds: string[]) => kinds.map(isDue);
    expect(ask('a', 'a', 'b')).toEqual([true, false, true]);
    now = 59_999;
    expect(ask('a', 'b')).toEqual([false, false]);
    now = 60_000;
    expect(ask('a', 'a')).toEqual([true, false]);
  });

  it('allows at most 20 kinds a minute', () => {
    let now = 0;
    const isDue = createReportLimit({ monotonic: () => now });
    const allowed = () =>
      Array.from({ length: 1000 }, (_, i) => isDue(`${now} ${i}`)).filter(Boolean).length;
    expect(allowed()).toBe(20);
    now = 59_000;
    expect(allowed()).toBe(0);
    now = 60_000;
    expect(allowed()).toBe(20);
  });
});
