import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { processRuntime } from '../../../src/server/internal/runtime.js';
import { createTurns, type Turns } from '../../../src/server/internal/turns.js';

let clock: number;
let turns: Turns;

beforeEach(() => {
  clock = 1000;
  turns = createTurns({ ...processRuntime, monotonic: () => clock });
});

/** Starts requests that take 5 ms each. Returns a list to which each request adds its number when it ends. */
function start(count: number): number[] {
  const ended: number[] = [];
  for (let i = 0; i < count; i++)
    void turns.run(async () => {
      clock += 5;
      ended.push(i);
    });
  return ended;
}

/** Runs turns of the event loop until `list` has `until` items. Returns how many items each turn added. */
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

describe('createTurns', () => {
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
      void turns.run(async () => void later.push(1));
    });
    expect(counts.slice(0, 50)).toEqual(Array(50).fill(0));
    while (later.length < 50) await setImmediate();
  });

  it('runs a herd whose connections never stop to arrive after two seconds', async () => {
    const ended = start(200);
    const began = clock;
    await countPerTurn(ended, 1, () => void turns.run(async () => {}));
    expect(clock - began).toBeGreaterThanOrEqual(2000);
    expect(clock - began).toBeLessThan(2100);
  });
});
