import { describe, expect, it } from 'vitest';
import { runSimulation } from './runSimulation.js';

/** The first seed, which differs between runs. The message of a failure names its seed. */
const first = Math.floor(Date.now() / 1000) % 1_000_000_000;

describe.sequential(`the money path, simulated from seed ${first}`, () => {
  it.each([
    ['in memory', ['--store', 'memory', '--seconds', '60']],
    ['in memory, in long runs', ['--store', 'memory', '--seconds', '30', '--long']],
    ['on SQLite', ['--store', 'sqlite', '--seconds', '60']],
  ])('keeps all invariants %s', async (where, args) => {
    const seeds = `${first}..${first + 1_000_000}`;
    const { code, output } = await runSimulation('--seeds', seeds, ...args);
    process.stdout.write(`Seeds from ${first}, ${where}:\n${output}`);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^[1-9]\d* passed, 0 failed$/m);
  });
});
