import { channel, tracingChannel } from 'node:diagnostics_channel';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
});

/** Loads the module in a runtime whose `process.getBuiltinModule` returns this module. */
async function loadWith(diagnostics: unknown) {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(diagnostics as never);
  onTestFinished(() => void vi.restoreAllMocks());
  const { trace } = await import('../../src/server/diagnostics.js');
  const { publishOrderChanges } = await import('../../src/server/orders/orderMessages.js');
  return { trace, publishOrderChanges };
}

const runtime = { monotonic: () => 0 };

describe('a runtime without tracing channels', () => {
  it.each([
    ['has no module diagnostics_channel', undefined],
    ['has channels, but no tracing channels', { channel }],
  ])('runs the work: it %s', async (_, diagnostics) => {
    const { trace, publishOrderChanges } = await loadWith(diagnostics);
    expect(await trace('partner-ramp:sync', runtime, {}, async () => 1)).toBe(1);
    expect(() => publishOrderChanges([])).not.toThrow();
  });

  it('runs the work: it has no getBuiltinModule', async () => {
    const { getBuiltinModule } = process;
    onTestFinished(() => {
      process.getBuiltinModule = getBuiltinModule;
    });
    process.getBuiltinModule = undefined as never;
    const { trace } = await import('../../src/server/diagnostics.js');
    expect(await trace('partner-ramp:sync', runtime, {}, async () => 1)).toBe(1);
  });
});

describe('a runtime whose tracing channels do not say whether they have subscribers', () => {
  it('publishes only if one of their five channels has one', async () => {
    const trackedCalls = vi.fn();
    const { trace } = await loadWith({
      channel,
      tracingChannel(name: string) {
        const real = tracingChannel(name);
        const { start, end, asyncStart, asyncEnd, error } = real;
        return {
          ...{ start, end, asyncStart, asyncEnd, error },
          tracePromise(...call: Parameters<typeof real.tracePromise>) {
            trackedCalls();
            return real.tracePromise(...call);
          },
        };
      },
    });
    await trace('partner-ramp:sync', runtime, {}, async () => 1);
    expect(trackedCalls).not.toHaveBeenCalled();
    const listen = vi.fn();
    const { asyncEnd } = tracingChannel('partner-ramp:sync');
    asyncEnd.subscribe(listen);
    onTestFinished(() => void asyncEnd.unsubscribe(listen));
    expect(await trace('partner-ramp:sync', runtime, {}, async () => 1)).toBe(1);
    expect([trackedCalls.mock.calls.length, listen.mock.calls.length]).toEqual([1, 1]);
  });
});
