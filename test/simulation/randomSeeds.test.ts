import { describe, expect, it } from 'vitest';
import { runSimulation } from './runSimulation.js';

/** The first seed, which differs between runs. The message of a failure names its seed. */
const first = Math.floor(Date.now() / 1000) % 1_000_000_000;

describe.sequential(`the money path, simulated from seed ${first}`, () => {
  it.each([
    ['memory', '--seconds', '60'],
    ['memory', '--seconds', '30', '--long'],
    ['sqlite', '--seconds', '60'],
  ])('keeps all invariants in %s for %s %s %s', async (store, ...args) => {
    const seeds = `${first}..${first + 1_000_000}`;
    const { code, output } = await runSimulation('--seeds', seeds, '--store', store, ...args);
    process.stdout.write(output);
    expect(output).toContain(' 0 failed');
    expect(code).toBe(0);
  });
});
