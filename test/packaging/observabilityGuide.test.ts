import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Attributes, metrics, trace } from '@opentelemetry/api';
import { transformWithOxc } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { memoryOrderStore, RampError } from '../../src/server/index.js';
import { createOrderTracker } from '../../src/server/orders/tracker/createOrderTracker.js';
import { root } from '../support/root.js';
import { callHandler, createTestHandler } from '../support/server/createTestHandler.js';
import { baseTime, onRampCheckout, onRampOrder } from '../support/server/orderFixtures.js';
import { fakeApi } from '../support/server/setUpTrackers.js';
import { testRuntime } from '../support/server/testRuntime.js';

interface RecordedSpan {
  readonly name: string;
  attributes: Attributes;
  status?: unknown;
  ended: number;
}
const spans: RecordedSpan[] = [];
const points: {
  readonly metric: string;
  readonly value: number;
  readonly attributes: Attributes;
}[] = [];

/** Registers an SDK that only records, and loads the code of docs/observability.md. */
beforeAll(async () => {
  trace.setGlobalTracerProvider({
    getTracer: () =>
      ({
        startSpan(name: string) {
          const span: RecordedSpan = { name, attributes: {}, ended: 0 };
          spans.push(span);
          return {
            setAttributes: (given: Attributes) => Object.assign(span.attributes, given),
            setStatus: (status: unknown) => Object.assign(span, { status }),
            end: () => span.ended++,
          };
        },
      }) as never,
  });
  const record = (metric: string) => (value: number, attributes: Attributes) =>
    points.push({ metric, value, attributes });
  metrics.setGlobalMeterProvider({
    getMeter: () =>
      ({
        createCounter: (metric: string) => ({ add: record(metric) }),
        createHistogram: (metric: string) => ({ record: record(metric) }),
      }) as never,
  });
  const text = await readFile(join(root, 'docs/observability.md'), 'utf8');
  const [, code = ''] = /^```ts\n(\/\/ telemetry\.ts\n[\s\S]*?)^```/m.exec(text) ?? [];
  // The folder is inside the project, so that `@opentelemetry/api` resolves to the same module.
  const folder = join(root, 'test/.output/observability-guide');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'telemetry.mjs');
  await writeFile(file, (await transformWithOxc(code, 'telemetry.ts')).code);
  await import(/* @vite-ignore */ pathToFileURL(file).href);
  return () => rm(folder, { recursive: true, force: true });
});

const findPoints = (metric: string, operation?: string) =>
  points
    .filter(
      (one) => one.metric === metric && (!operation || one.attributes.operation === operation),
    )
    .map(({ attributes: { operation: _, ...attributes } }) => attributes);

test('the OpenTelemetry recipe makes spans and metrics of checkouts', async () => {
  let refuses = false;
  const handler = createTestHandler({
    onError: () => {},
    policy() {
      if (refuses) throw new RampError('ERR_POLICY_REFUSED', 'This print is sold.');
      return { params: { walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' } };
    },
  });
  const { reference } = (await callHandler(handler)).json;
  refuses = true;
  await callHandler(handler);
  const known = { 'ramp.widget': 'on-ramp', 'ramp.reference': reference, 'ramp.outcome': 'signed' };
  expect(spans).toEqual([
    { name: 'ramp checkout', attributes: known, ended: 1 },
    { name: 'ramp signature', attributes: known, ended: 1 },
    {
      name: 'ramp checkout',
      attributes: {
        'ramp.widget': 'on-ramp',
        'ramp.outcome': 'failed',
        'ramp.code': 'ERR_POLICY_REFUSED',
      },
      status: { code: 2, message: 'ERR_POLICY_REFUSED' },
      ended: 1,
    },
  ]);
  expect(findPoints('ramp.operations', 'checkout')).toEqual([
    { outcome: 'signed' },
    { outcome: 'failed', code: 'ERR_POLICY_REFUSED' },
  ]);
  expect(findPoints('ramp.duration', 'signature')).toEqual([{ outcome: 'signed' }]);
  expect(points.every(({ value }) => value >= 0)).toBe(true);
});

test('the OpenTelemetry recipe counts what the alarms query', async () => {
  points.length = 0;
  const api = fakeApi();
  const store = memoryOrderStore();
  let clock = baseTime;
  const tracker = createOrderTracker(
    {
      api,
      store,
      onError() {},
      deliver() {
        throw new Error('the warehouse is down');
      },
      review() {},
    },
    testRuntime({ now: () => clock * 1000 }),
  );
  await store.saveCheckout(onRampCheckout());
  api.orders = [
    onRampOrder(),
    onRampOrder({ orderId: 'o2', walletAddress: '0xdead000000000000000000000000000000000001' }),
  ];
  const begunAt = clock;
  const isOverdue = () =>
    findPoints('ramp.operations', 'delivery').some(({ overdue }) => overdue === true);
  while (!isOverdue() && clock < begunAt + 7200) {
    await tracker.sync();
    clock += 10;
  }
  // Alarm 2 of the guide fires when an order has waited for ten minutes. It must not come much later.
  expect(clock - begunAt).toBeGreaterThan(600);
  expect(clock - begunAt).toBeLessThan(900);
  expect(findPoints('ramp.operations', 'sync')[0]).toEqual({ outcome: 'synced', malformed: false });
  expect(findPoints('ramp.order_changes')).toEqual([
    { widget: 'on-ramp', state: 'finished', match: 'matched', later: false },
    { widget: 'on-ramp', state: 'finished', match: 'quarantined', later: false, reason: 'wallet' },
  ]);
  const labels = new Set(points.flatMap(({ attributes }) => Object.keys(attributes)));
  for (const name of ['reference', 'orderId', 'key']) expect(labels).not.toContain(name);
});

test('the alarm for orders that need a person counts every review, with its reason', async () => {
  points.length = 0;
  const api = fakeApi();
  const store = memoryOrderStore();
  let clock = baseTime;
  const tracker = createOrderTracker(
    {
      api,
      store,
      deliver() {},
      review() {},
    },
    testRuntime({ now: () => clock * 1000 }),
  );
  const sync = async (orders: ReturnType<typeof onRampOrder>[]) => {
    api.orders = orders;
    await tracker.sync();
    clock++;
  };
  await store.saveCheckout(onRampCheckout());
  await sync([onRampOrder()]);
  await sync([
    onRampOrder({ state: 'unknown', orderStatus: 11 }),
    onRampOrder({ orderId: 'o2' }),
    onRampOrder({ orderId: 'o3', walletAddress: '0xdead000000000000000000000000000000000001' }),
    onRampOrder({ orderId: 'o4', state: 'unknown', orderStatus: 11 }),
    onRampOrder({ orderId: 'o5', ext: 'invoice-7' }),
  ]);
  const text = await readFile(join(root, 'docs/observability.md'), 'utf8');
  const alarm = text.slice(text.indexOf('### 3.'), text.indexOf('### 4.'));
  const [, labels = ''] = /ramp_operations_total\{(.*?)\}/.exec(alarm) ?? [];
  const selector = [...labels.matchAll(/(\w+)="(\w+)"/g)].map(
    ([, name = '', value]) => [name, value] as const,
  );
  const counted = points.filter(
    ({ metric, attributes }) =>
      metric === 'ramp.operations' &&
      selector.every(([name, value]) => `${attributes[name]}` === value),
  );
  expect(counted.map(({ attributes }) => attributes.reason).sort()).toEqual([
    'no-checkout',
    'second-order',
    'status-after-end',
    'unknown-status',
    'wallet',
  ]);
});

test('every query of an alarm names a channel and an outcome of the table', async () => {
  const text = await readFile(join(root, 'docs/observability.md'), 'utf8');
  const queries = [...text.matchAll(/^```text\n([\s\S]*?)^```/gm)].map(([, query = '']) => query);
  expect(queries).toHaveLength(6);
  const table = text.slice(text.indexOf('## Channels'), text.indexOf('## OpenTelemetry'));
  const documented = [...table.matchAll(/`(?:partner-ramp:)?([\w-]+)`/g)].map(([, name]) => name);
  for (const [, value] of queries.join('').matchAll(/(?:operation|outcome)="([\w-]+)"/g))
    expect(documented).toContain(value);
});
