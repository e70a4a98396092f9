import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CheckoutResponse } from '../../../src/index.js';
import { fetchBackend } from '../../../src/react/backend/fetchBackend.js';
import { isTerminal } from '../../../src/react/status/isTerminal.js';
import { usePolledCheckouts } from '../../../src/react/status/usePolledCheckouts.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import {
  createNftResponse,
  renderCheckoutStatus,
} from '../../support/browser/renderCheckoutStatus.js';
import { type StatusRequest, statusBackend } from '../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const isStream = ({ path }: StatusRequest) => path.endsWith('/events');

describe('useCheckoutStatus', () => {
  /** Waits for a second stream and for one poll. The page requests both, because its first stream delivers nothing. */
  const startPollAndStream = async () => {
    accelerateTime();
    const { requests } = statusBackend();
    const { result } = renderCheckoutStatus();
    await waitFor(() => expect(requests.filter(isStream)).toHaveLength(2));
    await waitFor(() => expect(requests.filter((request) => !isStream(request))).toHaveLength(1));
    const poll = requests.find((request) => !isStream(request)) as StatusRequest;
    const events = (requests.filter(isStream)[1] as StatusRequest).stream();
    const progress = () => result.current.data?.progress;
    return { poll, events, progress };
  };

  it.each([
    ['finished', 'waiting'],
    ['settlement', 'finished'],
    ['unconfirmed', 'waiting'],
  ] as const)(
    'keeps the %s of an event when a poll that was sent before it returns %s',
    async (newer, older) => {
      const { poll, events, progress } = await startPollAndStream();
      events.send(createNftResponse(newer));
      await waitFor(() => expect(progress()).toBe(newer));
      poll.json(createNftResponse(older));
      await expectToStay(progress, newer);
      events.send(createNftResponse('settled'), 2);
      await waitFor(() => expect(progress()).toBe('settled'));
    },
  );

  /** The progress of a payment, and the one before it. */
  const payments = [
    ['finished', 'waiting'],
    ['settlement', 'finished'],
  ] as const;

  it.each(payments)(
    'keeps the %s of a poll when the stream delivers an older event later, which says %s',
    async (newer, older) => {
      const { poll, events, progress } = await startPollAndStream();
      poll.json(createNftResponse(newer));
      await waitFor(() => expect(progress()).toBe(newer));
      events.send(createNftResponse(older));
      await expectToStay(progress, newer);
    },
  );

  it.each(payments)(
    'takes the %s of a poll when a buffered event, which says %s, came during the request',
    async (newer, older) => {
      const { poll, events, progress } = await startPollAndStream();
      events.send(createNftResponse(older));
      await waitFor(() => expect(progress()).toBe(older));
      poll.json(createNftResponse(newer));
      await waitFor(() => expect(progress()).toBe(newer));
    },
  );

  it('follows an order that a person reviews after its payment', async () => {
    const { events, progress } = await startPollAndStream();
    events.send(createNftResponse('finished'));
    await waitFor(() => expect(progress()).toBe('finished'));
    events.send(createNftResponse('review'), 2);
    await waitFor(() => expect(progress()).toBe('review'));
  });
});

describe('usePolledCheckouts', () => {
  const renderPolls = () => {
    const { nth } = statusBackend();
    const backend = { api: '/api/ramp', request: fetchBackend };
    const references = ['r1'];
    const { result } = renderHook(() => usePolledCheckouts(references, backend, 50, isTerminal));
    return { nth, progress: () => result.current.r1?.checkout.progress };
  };

  it('keeps the state of a later request when an earlier one ends after it', async () => {
    const { nth, progress } = renderPolls();
    const first = await nth(1);
    (await nth(2)).json(createNftResponse('unconfirmed'));
    await waitFor(() => expect(progress()).toBe('unconfirmed'));
    first.json(createNftResponse('waiting'));
    await expectToStay(progress, 'unconfirmed');
    (await nth(4)).json(createNftResponse('finished'));
    await waitFor(() => expect(progress()).toBe('finished'));
  });

  it('keeps a terminal state when a later request reads an older one, as from a replica', async () => {
    const { nth, progress } = renderPolls();
    const second = await nth(2);
    (await nth(1)).json(createNftResponse('settled'));
    await waitFor(() => expect(progress()).toBe('settled'));
    second.json(createNftResponse('waiting'));
    await expectToStay(progress, 'settled');
  });
});

/** Expects that the state stays `expected` after the page has processed the last response. */
async function expectToStay(
  progress: () => CheckoutResponse['progress'] | undefined,
  expected: CheckoutResponse['progress'],
): Promise<void> {
  // The page renders a response a few tasks after it arrives. These tasks take fewer than 20 frames.
  for (let task = 0; task < 20; task++) await new Promise((done) => requestAnimationFrame(done));
  expect(progress()).toBe(expected);
}
