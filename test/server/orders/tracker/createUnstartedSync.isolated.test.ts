import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import { createUnstartedSync } from '../../../../src/server/orders/tracker/createUnstartedSync.js';

describe('createUnstartedSync', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('stops after six tries while another instance keeps the lease', async () => {
    const sync = vi.fn(async () => false);
    const onError = vi.fn();
    const requested = createUnstartedSync(processRuntime, sync, () => undefined, onError)();
    await vi.advanceTimersByTimeAsync(60_000);
    await requested;
    expect(sync).toHaveBeenCalledTimes(6);
    expect(onError).not.toHaveBeenCalled();
  });

  it('syncs once when the lease is free', async () => {
    const sync = vi.fn(async () => true);
    await createUnstartedSync(processRuntime, sync, () => undefined, vi.fn())();
    expect(sync).toHaveBeenCalledTimes(1);
  });

  it('syncs after the running sync has ended, even if that one fails', async () => {
    const sync = vi.fn(async () => true);
    let fail = (_: Error) => {};
    const running = new Promise((_, reject) => {
      fail = reject;
    });
    const requested = createUnstartedSync(processRuntime, sync, () => running, vi.fn())();
    await vi.advanceTimersByTimeAsync(1000);
    expect(sync).not.toHaveBeenCalled();
    fail(new Error('the service is down'));
    await requested;
    expect(sync).toHaveBeenCalledTimes(1);
  });
});
