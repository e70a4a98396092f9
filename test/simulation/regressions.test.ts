import { expect, it } from 'vitest';
import { runSimulation } from './runSimulation.js';

it('the simulated money path repeats no failure of the past', { timeout: 600_000 }, async () => {
  const { code, output } = await runSimulation('--regressions');
  expect(code, /^FAILED.*/m.exec(output)?.[0]).toBe(0);
});
