import { describe, expect, it } from 'vitest';
import { runSimulation } from './runSimulation.js';

describe.sequential('the money path, simulated', () => {
  it.each([
    ['165 short seeds', ['--seeds', '1..165']],
    ['10 long seeds', ['--seeds', '1..10', '--long']],
    ['25 short seeds on SQLite', ['--seeds', '1..25', '--store', 'sqlite']],
  ])('keeps all invariants in %s', async (_, args) => {
    const { code, output } = await runSimulation(...args);
    expect(code, output).toBe(0);
    expect(output).toMatch(/^[1-9]\d* passed, 0 failed$/m);
  });

  it.each(['memory', 'sqlite'])('tells the same story twice in %s', async (store) => {
    const args = ['--seeds', '7', '--story', '--store', store];
    const [first, second] = [await runSimulation(...args), await runSimulation(...args)];
    const tellStory = ({ output }: typeof first) => output.slice(0, output.indexOf(' seeds ('));
    expect(tellStory(second)).toBe(tellStory(first));
  });
});
