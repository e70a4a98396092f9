import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryOrderStore } from '../../../../src/server/index.js';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import {
  type OrderTrackerOptions,
  toTrackerSettings,
} from '../../../../src/server/orders/tracker/trackerOptions.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';

const toSettings = (options: Partial<OrderTrackerOptions> = {}) =>
  toTrackerSettings(
    { api: fakeApi(), store: memoryOrderStore(), deliver() {}, review() {}, ...options },
    processRuntime,
  );

describe('toTrackerSettings', () => {
  it('returns defaults in seconds, and leaves the page size to the API client', () => {
    expect(toSettings()).toMatchObject({
      deliverAt: 'finished',
      pageSize: undefined,
      pollSeconds: 60,
      maxPollSeconds: 600,
      lookbackSeconds: 7200,
      fullSyncLookbackSeconds: 7 * 86_400,
      settlementSeconds: 30 * 86_400,
      retentionSeconds: 35 * 86_400,
      unopenedRetentionSeconds: 7 * 86_400,
      deliverySeconds: 60,
      isServerless: false,
      syncSeconds: 60,
    });
  });

  it('lets a sync take less time in functions', () => {
    expect(toSettings({ isServerless: true })).toMatchObject({ syncSeconds: 20 });
  });

  it('takes undefined as absent', () => {
    const absent = {
      onError: undefined,
      pollSeconds: undefined,
      isServerless: undefined,
    };
    expect(toSettings(absent)).toMatchObject({ pollSeconds: 60, isServerless: false });
  });

  it('never polls less often than pollSeconds by default', () => {
    expect(toSettings({ pollSeconds: 900 })).toMatchObject({ maxPollSeconds: 900 });
  });

  it('keeps every given option', () => {
    const options = {
      deliverAt: 'settled',
      deliverySeconds: 30,
      fullSyncLookbackSeconds: 86_400,
      lookbackSeconds: 3600,
      maxPollSeconds: 7,
      pageSize: 50,
      pollSeconds: 5,
      retentionSeconds: 400 * 86_400,
      settlementSeconds: 86_400,
      syncSeconds: 9,
      unopenedRetentionSeconds: 2 * 86_400,
      isServerless: true,
    } as const;
    expect(toSettings(options)).toMatchObject(options);
  });

  it('returns an onError that never throws', () => {
    const { onError } = toSettings({
      onError() {
        throw new Error('the log is full');
      },
    });
    expect(() => onError(new Error('down'))).not.toThrow();
  });

  it('returns an onError whose promise never rejects, because that would end the process', async () => {
    const rejected = vi.fn();
    process.on('unhandledRejection', rejected);
    onTestFinished(() => void process.off('unhandledRejection', rejected));
    const { onError } = toSettings({
      onError: async () => {
        throw new Error('the log is full');
      },
    });
    onError(new Error('down'));
    await new Promise((done) => setImmediate(done));
    expect(rejected).not.toHaveBeenCalled();
  });
});
