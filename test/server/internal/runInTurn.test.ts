import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

let clock = 1000;
let runInTurn: typeof import('../../../src/server/internal/runInTurn.js').runInTurn;

beforeEach(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  vi.resetModules();
  ({ runInTurn } = await import('../../../src/server/internal/runInTurn.js'));
});
afterEach(() => void vi.restoreAllMocks());

/** Starts requests that need 5 ms each. Returns their numbers in the order of their ends. */
function start(count: number): number[] {
  const ended: number[] = [];
  for (let i = 0; i < count; i++)
    void runInTurn(async () => {
      clock += 5;
      ended.push(i);
    });
  return ended;
}

/** Runs turns of the event loop, each of at least a millisecond, and returns what each added to a list. */
async function countPerTurn(list: readonly unknown[], until: number, onTurn = () => {}) {
  const counts: number[] = [];
  for (let before = 0; list.length < until; before = list.length) {
    await setImmediate();
    clock++;
    counts.push(list.length - before);
    onTurn();
  }
  return counts;
}

describe('runInTurn', () => {
  it('runs requests in the order of the calls, for about 15 ms in each turn of the event loop', async () => {
    const ended = start(60);
    const counts = await countPerTurn(ended, 60);
    expect(ended).toEqual(Array.from({ length: 60 }, (_, i) => i));
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  });

  it('lets a herd wait until its connections have arrived, and then runs it', async () => {
    const ended = start(200);
    let arriving = 50;
    const later: number[] = [];
    const counts = await countPerTurn(ended, 200, () => {
      if (arriving-- <= 0) return;
      expect(ended).toEqual([]);
      void runInTurn(async () => void later.push(1));
    });
    expect(counts.slice(0, 50)).toEqual(Array(50).fill(0));
    while (later.length < 50) await setImmediate();
  });

  it('runs a herd whose connections never stop to arrive after two seconds', async () => {
    const ended = start(200);
    const began = clock;
    await countPerTurn(ended, 1, () => void runInTurn(async () => {}));
    expect(clock - began).toBeGreaterThanOrEqual(2000);
    expect(clock - began).toBeLessThan(2100);
  });
});
