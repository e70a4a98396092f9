import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOrderTracker, memoryOrderStore } from '../../../../src/server/index.js';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import { parseTrackerOptions } from '../../../../src/server/orders/tracker/trackerOptions.js';
import { fakeApi } from '../../../support/server/setUpTrackers.js';

describe('parseTrackerOptions', () => {
  it('accepts a pollSeconds above the default of maxPollSeconds', () => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    expect(() => createOrderTracker({ ...right, pollSeconds: 900 })).not.toThrow();
  });

  it('accepts a retention longer than the longest timer', () => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    expect(() => createOrderTracker({ ...right, retentionSeconds: 400 * 86_400 })).not.toThrow();
  });

  it('returns defaults in seconds, and leaves the page size to the API client', () => {
    expect(
      parseTrackerOptions({ api: fakeApi(), store: memoryOrderStore() }, processRuntime),
    ).toMatchObject({
      pageSize: undefined,
      pollSeconds: 60,
      maxPollSeconds: 600,
      lookbackSeconds: 7200,
      fullSyncLookbackSeconds: 7 * 86_400,
      settlementSeconds: 30 * 86_400,
      retentionSeconds: 35 * 86_400,
      unopenedRetentionSeconds: 7 * 86_400,
      deliverySeconds: 60,
    });
  });

  it('takes null as absent, as every function does', () => {
    const right = { api: fakeApi(), store: memoryOrderStore(), onOrderChange() {} };
    const absent = { onError: null, pageSize: null, pollSeconds: null, timers: null, now: null };
    const settings = parseTrackerOptions({ ...right, ...absent } as never, processRuntime);
    expect(settings).toMatchObject({ pollSeconds: 60, timers: true, pageSize: undefined });
  });

  it('accepts the largest and the smallest values', () => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    const largest = 2_147_483;
    for (const options of [
      { pageSize: 1 },
      { pageSize: 1000 },
      { pollSeconds: largest, maxPollSeconds: largest, deliverySeconds: largest },
      { pollSeconds: 1, maxPollSeconds: 1 },
    ])
      expect(parseTrackerOptions({ ...right, ...options }, processRuntime)).toMatchObject(options);
  });

  it('returns an onError that never throws', () => {
    const settings = parseTrackerOptions(
      {
        api: fakeApi(),
        store: memoryOrderStore(),
        onError() {
          throw new Error('the log is full');
        },
      },
      processRuntime,
    );
    expect(() => settings.onError(new Error('down'))).not.toThrow();
  });

  it('returns an onError whose promise never rejects, because that would end the process', async () => {
    const rejected = vi.fn();
    process.on('unhandledRejection', rejected);
    onTestFinished(() => void process.off('unhandledRejection', rejected));
    const onError = async () => {
      throw new Error('the log is full');
    };
    const options = { api: fakeApi(), store: memoryOrderStore(), onError };
    parseTrackerOptions(options, processRuntime).onError(new Error('down'));
    await new Promise((done) => setImmediate(done));
    expect(rejected).not.toHaveBeenCalled();
  });

  it('accepts every documented option', () => {
    const options = {
      deliverySeconds: 30,
      fullSyncLookbackSeconds: 86_400,
      lookbackSeconds: 3600,
      retentionSeconds: 40 * 86_400,
      settlementSeconds: 86_400,
      unopenedRetentionSeconds: 2 * 86_400,
      timers: false,
      onOrderChange: null,
    };
    expect(
      parseTrackerOptions(
        { api: fakeApi(), store: memoryOrderStore(), ...options },
        processRuntime,
      ),
    ).toMatchObject(options);
  });

  it('rejects an unknown option that resembles none', () => {
    const options = { api: fakeApi(), store: memoryOrderStore(), webhookPort: 1 };
    expect(() => parseTrackerOptions(options, processRuntime)).toThrow(/has no option webhookPort/);
  });

  it.each<readonly [string, object | undefined, RegExp]>([
    ['nothing', undefined, /^createOrderTracker needs an api: .*createPartnerApi\(\)/],
    ['no api', { api: undefined }, /^createOrderTracker needs an api: .*createPartnerApi\(\)/],
    ['no store', { store: undefined }, /^createOrderTracker needs a store, .*memoryOrderStore/],
    ['another onOrderChange', { onOrderChange: 'ship' }, /expects a function as onOrderChange/],
    ['another onError', { onError: 'log' }, /expects a function as onError/],
    ['another clock', { now: 0 }, /expects a function as now/],
    ['a page that is too large', { pageSize: 1001 }, /from 1 to 1000 as pageSize/],
    ['a page size as text', { pageSize: '20' }, /as pageSize\. It is text.*Number\(/],
    [
      'seconds as text',
      { pollSeconds: '60' },
      /^createOrderTracker expects whole seconds.* as pollSeconds\..*text.*Number\(/,
    ],
    ['text as timers', { timers: 'false' }, /expects true or false as timers/],
    [
      'fractional seconds',
      { pollSeconds: 0.5 },
      /whole seconds from 1 to 2147483 as pollSeconds\.$/,
    ],
    ['no retention', { retentionSeconds: 0 }, /whole seconds from 1 as retentionSeconds\.$/],
    ['a maxPollSeconds below pollSeconds', { maxPollSeconds: 59 }, /not less than pollSeconds/],
  ])('names the option in the message for %s', (_, wrong, message) => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    const options = wrong && { ...right, ...wrong };
    expect(() => createOrderTracker(options as never)).toThrow(message);
  });

  it.each<readonly [string, object]>([
    ['no api', { api: undefined }],
    ['no store', { store: undefined }],
    ['text as onOrderChange', { onOrderChange: 'ship' }],
    ['another object as api', { api: { eachOrder: 'list' } }],
    ['text as onError', { onError: 'log' }],
    ['text as onError', { onError: 'console' }],
    ['a number as now', { now: 1_790_000_000 }],
    ['a page size of 0', { pageSize: 0 }],
    ['a fractional page size', { pageSize: 1.5 }],
    ['a page that is too large', { pageSize: 1001 }],
    ['a page size as text', { pageSize: '20' }],
    ['a page size of NaN', { pageSize: Number.NaN }],
    ['fractional seconds', { pollSeconds: 0.5 }],
    ...[
      'pollSeconds',
      'maxPollSeconds',
      'lookbackSeconds',
      'fullSyncLookbackSeconds',
      'settlementSeconds',
      'retentionSeconds',
      'unopenedRetentionSeconds',
      'deliverySeconds',
    ].flatMap((name) =>
      [-1, 0, Number.NaN, Number.POSITIVE_INFINITY, '60', {}].map(
        (value) => [`${String(value)} as ${name}`, { [name]: value }] as const,
      ),
    ),
    ['a maxPollSeconds below pollSeconds', { pollSeconds: 60, maxPollSeconds: 59 }],
    // Timers are limited to 2,147,483,647 ms. A longer timer fires immediately, so every delivery would time out.
    ['a deliverySeconds above the longest timer', { deliverySeconds: 2_147_484 }],
    ['a maxPollSeconds above the longest timer', { maxPollSeconds: 2_147_484 }],
  ])('refuses %s', (_, wrong) => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    expect(() => createOrderTracker({ ...right, ...wrong } as never)).toThrow(
      expect.objectContaining({ code: 'ERR_CONFIG_INVALID' }),
    );
  });
});
