import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getOpenedCheckouts, removeOpenedCheckout } from '../../src/client/pageCheckouts.js';
import {
  CheckoutHistory,
  CheckoutInProgress,
  type CheckoutResponse,
  CheckoutStatus,
  OnRampButton,
  RampProvider,
} from '../../src/index.js';
import '../../src/styles.css';
import { accelerateTime } from '../support/browser/accelerateTime.js';
import { countingSigner } from '../support/browser/countingSigner.js';
import { createListed } from '../support/browser/historyBackend.js';
import { button, dialog, waitForDialog, widgetUrl } from '../support/browser/onRampButtonPage.js';
import { pollNow } from '../support/browser/statusBackend.js';

/** A backend that a page polls. It records the polls of each `api`, and how many were in flight at the same time. */
function polledBackend() {
  const backend = {
    progress: {} as Record<string, CheckoutResponse['progress']>,
    /** Replaces the response to the next poll. */
    respondOnce: undefined as (() => Response) | undefined,
    /** The polls: when each was sent, by `performance.now()`, and its path. */
    polls: [] as { readonly at: number; readonly path: string }[],
    mostInFlight: 0,
  };
  let inFlight = 0;
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init = {}) => {
    const { pathname, searchParams, search } = new URL(`${input}`, location.origin);
    if (init.method === 'POST') return new Response(null, { status: 204 });
    backend.polls.push({ at: performance.now(), path: pathname + search });
    backend.mostInFlight = Math.max(backend.mostInFlight, ++inFlight);
    await new Promise((done) => setTimeout(done, 50));
    inFlight--;
    const { respondOnce } = backend;
    backend.respondOnce = undefined;
    if (respondOnce) return respondOnce();
    const toState = (reference: string) => {
      const { createdAt: _, ...state } = createListed(reference);
      return { ...state, progress: backend.progress[reference] ?? 'waiting' };
    };
    const limit = Number(searchParams.get('limit') ?? 0);
    const references = searchParams.get('references')?.split(',');
    return Response.json({
      checkouts: Object.keys(backend.progress)
        .slice(0, limit)
        .map((reference) => ({ ...createListed(reference), ...toState(reference) })),
      ...(references && { named: references.map(toState) }),
      pollAfterSeconds: 3,
    });
  });
  return backend;
}

let backend: ReturnType<typeof polledBackend>;
beforeEach(() => {
  backend = polledBackend();
});
afterEach(() => {
  cleanup();
  for (const api of ['/api/ramp', '/one'])
    for (const reference of getOpenedCheckouts(api)) removeOpenedCheckout(api, reference);
  vi.restoreAllMocks();
});

const status = () => document.querySelector<HTMLElement>('.ramp-status')?.dataset.state;
const history = () => screen.getByRole('group', { name: 'Your orders' });
const signer = countingSigner().signer;

describe('a page with a button, a card, a history and a note', () => {
  const page = (
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp" signer={signer}>
      <OnRampButton onStatusChange={() => {}} />
      <CheckoutStatus />
      <CheckoutHistory />
      <CheckoutInProgress />
    </RampProvider>
  );

  it('sends one request per interval, and never two at a time', async () => {
    accelerateTime();
    render(page);
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(status()).toBe('waiting'));
    const from = backend.polls.length;
    await waitFor(() => expect(backend.polls.length).toBeGreaterThan(from + 5));
    const times = backend.polls.slice(from).map(({ at }) => at);
    const pauses = times.slice(1).map((at, i) => at - (times[i] ?? 0));
    // 3 seconds with a jitter of 15 %.
    expect(Math.min(...pauses)).toBeGreaterThan(2500);
    expect(backend.mostInFlight).toBe(1);
    expect(backend.polls.at(-1)?.path).toMatch(
      /^\/api\/ramp\/checkouts\?references=ref-\d+&limit=20$/,
    );
  }, 60_000);

  it('shows in the list what the card shows', async () => {
    render(page);
    await waitFor(() => expect(history().dataset.state).toBe('empty'));
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(status()).toBe('waiting'));
    const reference = backend.polls.at(-1)?.path.match(/ref-\d+/)?.[0] ?? '';
    act(() => dialog()?.close());
    // The list has the order from now on.
    backend.progress[reference] = 'finished';
    pollNow();
    await waitFor(() => expect(status()).toBe('finished'));
    expect(history().textContent).toContain('Delivered');
    expect(history().textContent).not.toContain('No orders yet');
  });

  it('waits as long as the backend asks', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    accelerateTime();
    backend.progress.r1 = 'waiting';
    backend.respondOnce = () =>
      Response.json(
        { error: { code: 'ERR_REQUEST', message: 'Too many requests.' } },
        { status: 429, headers: { 'Retry-After': '20' } },
      );
    render(page);
    await waitFor(() => expect(history().dataset.state).toBe('success'));
    const [first, second] = backend.polls.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(20_000);
  }, 60_000);

  it('polls rarely while its tab is hidden, and at once when it is back', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
    accelerateTime();
    render(page);
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(status()).toBe('waiting'));
    hidden.mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    const from = backend.polls.length;
    await waitFor(() => expect(backend.polls.length).toBeGreaterThan(from + 1));
    const [first, second] = backend.polls.slice(from).map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(12_000);
    const count = backend.polls.length;
    hidden.mockReturnValue(false);
    const backAt = performance.now();
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(backend.polls.length).toBeGreaterThan(count));
    // A second of jitter, and the accelerated time of a frame or two.
    expect((backend.polls[count]?.at ?? 0) - backAt).toBeLessThan(5000);
  }, 60_000);
});

describe('a page with two backends', () => {
  it('polls each of them, and shows the same backend with and without a slash in one request', async () => {
    render(
      <>
        <RampProvider api="/one">
          <CheckoutStatus reference="r1" data-testid="r1" />
        </RampProvider>
        <RampProvider api="/one/">
          <CheckoutStatus reference="r2" data-testid="r2" />
        </RampProvider>
        <RampProvider api="/two">
          <CheckoutStatus reference="r3" data-testid="r3" />
        </RampProvider>
      </>,
    );
    for (const reference of ['r1', 'r2', 'r3'])
      await waitFor(() => expect(screen.getByTestId(reference).dataset.state).toBe('waiting'));
    expect(backend.polls.map(({ path }) => path).sort()).toEqual([
      '/one/checkouts?references=r1,r2',
      '/two/checkouts?references=r3',
    ]);
  });

  it('shows a checkout that a provider with a slash at the end of its api opened', async () => {
    render(
      <>
        <RampProvider widgetUrl={widgetUrl} api="/one/" signer={signer}>
          <OnRampButton />
        </RampProvider>
        <RampProvider api="/one">
          <CheckoutStatus />
        </RampProvider>
      </>,
    );
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(status()).toBe('waiting'));
  });
});
