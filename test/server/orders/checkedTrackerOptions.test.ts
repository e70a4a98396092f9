import { describe, expect, it } from 'vitest';
import { createOrderTracker, memoryOrderStore } from '../../../src/server/index.js';
import { fakeApi } from '../../support/tracker.js';

describe('The options of createOrderTracker', () => {
  it('may poll less often than the longest pause by default', () => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    expect(() => createOrderTracker({ ...right, pollSeconds: 900 })).not.toThrow();
  });

  it('may keep a checkout for longer than a timer can be set to', () => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    expect(() => createOrderTracker({ ...right, retentionSeconds: 400 * 86_400 })).not.toThrow();
  });

  it.each<readonly [string, object]>([
    ['no api', { api: undefined }],
    ['no store', { store: undefined }],
    ['a handler that is none', { onOrderChange: 'ship' }],
    ['an api of another kind', { api: { eachOrder: 'list' } }],
    ['an error handler that is none', { onError: 'log' }],
    ['an error handler that is null', { onError: null }],
    ['a clock that is a number', { now: 1_790_000_000 }],
    ['a page of nothing', { pageSize: 0 }],
    ['a page of half an order', { pageSize: 1.5 }],
    ['a page that is too large', { pageSize: 1001 }],
    ['a page size as text', { pageSize: '20' }],
    ['a page size that is no number', { pageSize: Number.NaN }],
    ['half seconds', { pollSeconds: 0.5 }],
    ...[
      'pollSeconds',
      'maxPollSeconds',
      'overlapSeconds',
      'auditSeconds',
      'settlementSeconds',
      'retentionSeconds',
      'unopenedRetentionSeconds',
      'deliverySeconds',
    ].flatMap((name) =>
      [-1, 0, Number.NaN, Number.POSITIVE_INFINITY, '60', {}].map(
        (value) => [`${String(value)} as ${name}`, { [name]: value }] as const,
      ),
    ),
    ['a longest pause below the shortest', { pollSeconds: 60, maxPollSeconds: 59 }],
    // A timer that is set to more ends at once: each delivery would have failed while it still ran.
    ['more seconds than a timer has', { deliverySeconds: 2_147_484 }],
    ['more seconds between sweeps than a timer has', { maxPollSeconds: 2_147_484 }],
  ])('refuse %s', (_, wrong) => {
    const right = { api: fakeApi(), store: memoryOrderStore() };
    expect(() => createOrderTracker({ ...right, ...wrong } as never)).toThrow(
      expect.objectContaining({ code: 'ERR_CONFIG_INVALID' }),
    );
  });
});
