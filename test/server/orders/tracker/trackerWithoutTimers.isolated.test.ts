import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { fakeApi, setUpStartedTrackers } from '../../../support/server/setUpTrackers.js';

const { started } = setUpStartedTrackers();

describe('createOrderTracker with timers: false', () => {
  beforeEach(() => void vi.resetModules());
  afterEach(() => void vi.restoreAllMocks());

  it('syncs for a webhook and a scheduled job without advice to start it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const { createOrderTracker } = await import(
      '../../../../src/server/orders/tracker/createOrderTracker.js'
    );
    const api = fakeApi();
    const tracker = createOrderTracker({
      api,
      store: memoryOrderStore(),
      deliver() {},
      review() {},
      timers: false,
    });
    tracker.checkoutGranted();
    await tracker.requestSync();
    expect(await tracker.sync()).toBe(true);
    expect(api.ranges).toHaveLength(2);
    expect(warn).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('refuses start()', () => {
    const { tracker } = started({ timers: true });
    void tracker.stop();
    expect(() => started({ timers: false })).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(/^ramp\.start\(\) is for a process.*route \/sync/),
      }),
    );
  });
});
