import { describe, expect, it } from 'vitest';
import { createPollInterval, findPollSeconds } from '../../../src/server/handler/pollInterval.js';

describe('findPollSeconds', () => {
  it.each([
    [0, 3],
    [1, 3],
    [600, 3],
    [601, 4],
    [800, 4],
    [1200, 6],
    [1201, 8],
    [5000, 25],
    [5001, 30],
    [12_000, 60],
    [1_000_000, 60],
  ])('lets %d pollers poll every %d seconds', (pollers, seconds) => {
    expect(findPollSeconds(pollers)).toBe(seconds);
  });
});

describe('createPollInterval', () => {
  const setUp = () => {
    let now = 5000;
    const countPoll = createPollInterval({ monotonic: () => now });
    const pollAll = (count: number, from = 0) => {
      let seconds = 0;
      for (let i = from; i < from + count; i++) seconds = countPoll(`u${i}`);
      return seconds;
    };
    return { pollAll, pass: (seconds: number) => (now += seconds * 1000) };
  };

  it('counts each poller once, however often it polls', () => {
    const { pollAll } = setUp();
    for (let times = 0; times < 9; times++) expect(pollAll(500)).toBe(3);
    expect(pollAll(500, 500)).toBe(5);
  });

  it('stays the same while the same pollers poll once a minute', () => {
    const { pollAll, pass } = setUp();
    pollAll(1200);
    for (let minutes = 0; minutes < 5; minutes++) {
      pass(60);
      expect(pollAll(1200)).toBe(6);
    }
  });

  it('forgets a poller that was not seen for two minutes', () => {
    const { pollAll, pass } = setUp();
    pollAll(1200);
    pass(60);
    expect(pollAll(1)).toBe(6);
    pass(60);
    expect(pollAll(1)).toBe(3);
  });

  it('forgets all pollers after a long pause', () => {
    const { pollAll, pass } = setUp();
    pollAll(1200);
    pass(3600);
    expect(pollAll(1)).toBe(3);
  });
});
