import { WebhookError } from '@partner-ramp/react/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRefusalReport } from '../../src/webhooks/createRefusalReport.js';
import { startShop } from '../support/startShop.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reasons?: unknown;
}

describe('createRefusalReport', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('reports counts by reason once a minute, and skips minutes without refusals', async () => {
    const report = vi.fn();
    const refusals = createRefusalReport(report);
    for (let index = 0; index < 500; index++) refusals.count(new WebhookError('signature'));
    expect(refusals.count(new WebhookError('timestamp'))).toBe(true);
    expect(report).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(report.mock.calls).toEqual([[{ signature: 500, timestamp: 1 }]]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(report).toHaveBeenCalledTimes(1);
    refusals.count(new WebhookError('method'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(report).toHaveBeenLastCalledWith({ method: 1 });
  });

  it('does not count errors that the sender did not cause', () => {
    const refusals = createRefusalReport(vi.fn());
    const cause = new Error('the database is gone');
    for (const error of [
      cause,
      new WebhookError('replay-store', cause),
      new WebhookError('unexpected'),
    ])
      expect(refusals.count(error)).toBe(false);
  });
});

it('logs refused webhooks as one line, without errors and stacks', async () => {
  const shop = await startShop({ trustProxy: 1 });
  for (let index = 0; index < 50; index++)
    expect((await fetch(`${shop.url}/api/ramp/webhook`, { method: 'POST' })).status).toBe(401);
  await shop.close();
  const lines = shop
    .logs()
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({
      level: 40,
      msg: 'webhooks refused',
      reasons: { 'header-missing': 50 },
    }),
  ]);
});
