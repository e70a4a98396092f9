import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { reportMemoryStore } from '../../../../src/server/orders/memory/memoryOrderStore.js';
import { testRuntime } from '../../../support/server/testRuntime.js';

/** Reports a store in a new process. Returns the function, and the messages that were reported. */
function createReport(mode: string) {
  vi.stubEnv('NODE_ENV', mode);
  onTestFinished(() => void vi.unstubAllEnvs());
  const seen = new Set<string>();
  const isFirst = (name: string) => !seen.has(name) && seen.add(name).size > 0;
  const runtime = testRuntime({ isFirst });
  const messages: string[] = [];
  const report = (store: object) =>
    reportMemoryStore(runtime, store, (error) => messages.push((error as Error).message));
  return { report, messages };
}

describe('reportMemoryStore', () => {
  it('reports a memory store in production, once for each process', () => {
    const { report, messages } = createReport('production');
    report(memoryOrderStore());
    report(memoryOrderStore());
    expect(messages).toEqual([
      expect.stringMatching(/^createRamp has a memoryOrderStore\(\).*sqlOrderStore\(\)/),
    ]);
  });

  it('reports neither a copy with other methods nor another store', () => {
    const { report, messages } = createReport('production');
    report({ ...memoryOrderStore() });
    report({});
    expect(messages).toEqual([]);
  });

  it('does not report a memory store in development', () => {
    const { report, messages } = createReport('development');
    report(memoryOrderStore());
    expect(messages).toEqual([]);
  });
});
