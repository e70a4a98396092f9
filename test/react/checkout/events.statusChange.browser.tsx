import { act, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import {
  type CheckoutResponse,
  type CheckoutSigner,
  NftCheckout,
  RampProvider,
  useCheckout,
} from '../../../src/index.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import {
  continueBackend,
  elapseWidgetTime,
  renderOpenCheckout,
} from '../../support/browser/continueBackend.js';
import { button, waitForDialog, widgetUrl } from '../../support/browser/onRampButtonPage.js';
import { createCheckoutResponse, statusBackend } from '../../support/browser/statusBackend.js';
import {
  closeWidgetDialog,
  getStreamReference,
  openWidgetDialog,
  progressHistory,
  recordStatusChange,
  resetBeforeEach,
  signer,
  statusChangePage,
  statusChanges,
  wait,
} from '../../support/browser/statusChangePage.js';

resetBeforeEach();

describe('onStatusChange', () => {
  it('is called with the present state, then once per change, also after the widget was closed', async () => {
    const { requests, nth } = statusBackend();
    render(statusChangePage());
    await openWidgetDialog();
    const first = await nth(1);
    expect(first.path).toBe(`/api/ramp/checkouts/${getStreamReference(first)}/events`);
    expect(getStreamReference(first)).toMatch(/^ref-\d+$/);
    const events = first.stream();
    const answer = (given: Partial<CheckoutResponse>) =>
      events.send(createCheckoutResponse({ reference: getStreamReference(first), ...given }));
    answer({});
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    answer({});
    answer({ progress: 'unconfirmed' });
    await waitFor(() => expect(progressHistory()).toEqual(['waiting', 'unconfirmed']));
    await closeWidgetDialog();
    const reference = getStreamReference(first);
    (await nth(2)).json(createCheckoutResponse({ reference, progress: 'finished' }));
    await waitFor(() => expect(progressHistory()).toEqual(['waiting', 'unconfirmed', 'finished']));
    expect(statusChanges.map((change) => change.reference)).toEqual(Array(3).fill(reference));
    // `finished` is the last state of this checkout, so the page sends no further request.
    poll();
    await wait(50);
    expect(requests).toHaveLength(2);
  });

  it('keeps no event stream of a closed checkout: seven of them would stop the site over HTTP/1.1', async () => {
    const { requests, nth } = statusBackend();
    render(statusChangePage());
    for (let looks = 0; looks < 7; looks++) {
      await openWidgetDialog();
      const opened = await nth(2 * looks + 1);
      opened.stream();
      await closeWidgetDialog();
      (await nth(2 * looks + 2)).json(
        createCheckoutResponse({ reference: getStreamReference(opened) }),
      );
    }
    const streams = requests.filter(({ path }) => path.endsWith('/events'));
    expect(streams.map(({ init }) => init.signal?.aborted)).toEqual(Array(7).fill(true));
    await waitFor(() => expect(progressHistory()).toEqual(Array(7).fill('waiting')));
    // Each is still followed.
    poll();
    (await nth(21)).json(createCheckoutResponse({ progress: 'finished' }));
    await waitFor(() => expect(progressHistory()).toContain('finished'));
  });

  it('streams again once the closed checkout is continued', async () => {
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    const { events } = await renderOpenCheckout({ onStatusChange: recordStatusChange });
    elapseWidgetTime();
    await waitFor(() => expect(backend.streams).toHaveLength(1));
    await closeWidgetDialog();
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    accelerateTime();
    act(() => screen.getByRole('button', { name: 'Continue' }).click());
    await waitFor(() => expect(events.map(({ type }) => type)).toContain('closed'));
    await waitFor(() => expect(backend.streams).toHaveLength(2));
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(() => expect(progressHistory()).toEqual(['waiting', 'finished']));
  });

  it('is the callback of the latest render', async () => {
    const { nth } = statusBackend();
    const latest = vi.fn();
    const { rerender } = render(statusChangePage());
    await openWidgetDialog();
    const events = (await nth(1)).stream();
    events.send(createCheckoutResponse());
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    rerender(statusChangePage({ onStatusChange: latest }));
    events.send(createCheckoutResponse({ progress: 'unconfirmed' }));
    await waitFor(() => expect(latest).toHaveBeenCalledOnce());
    expect(latest.mock.calls[0]?.[0]).toMatchObject({ progress: 'unconfirmed' });
    expect(statusChanges).toHaveLength(1);
    rerender(statusChangePage({ onStatusChange: undefined }));
    events.send(createCheckoutResponse({ progress: 'finished' }));
    await wait(50);
    expect(latest).toHaveBeenCalledOnce();
  });

  it('reports two checkouts of one button, each until it is terminal', async () => {
    const { requests, nth } = statusBackend();
    render(statusChangePage());
    await openWidgetDialog();
    const first = await nth(1);
    const one = first.stream();
    one.send(createCheckoutResponse({ reference: getStreamReference(first) }));
    await waitFor(() => expect(statusChanges).toHaveLength(1));
    await closeWidgetDialog();
    (await nth(2)).json(createCheckoutResponse({ reference: getStreamReference(first) }));
    await openWidgetDialog();
    const second = await nth(3);
    const two = second.stream();
    expect(getStreamReference(second)).not.toBe(getStreamReference(first));
    two.send(
      createCheckoutResponse({ reference: getStreamReference(second), progress: 'finished' }),
    );
    await waitFor(() => expect(statusChanges).toHaveLength(2));
    poll();
    (await nth(4)).json(
      createCheckoutResponse({ reference: getStreamReference(first), progress: 'finished' }),
    );
    await waitFor(() => expect(statusChanges).toHaveLength(3));
    expect(statusChanges.map(({ reference, progress }) => [reference, progress])).toEqual([
      [getStreamReference(first), 'waiting'],
      [getStreamReference(second), 'finished'],
      [getStreamReference(first), 'finished'],
    ]);
    poll();
    await wait(50);
    expect(requests).toHaveLength(4);
  });

  it('continues with the first checkout when a second is closed before it opens', async () => {
    const { requests, nth } = statusBackend();
    let answers = true;
    const signs: CheckoutSigner = (...given) =>
      answers ? signer.signer(...given) : new Promise(() => {});
    const given = {
      widget: 'on-ramp',
      widgetUrl,
      api: '/api/ramp',
      onStatusChange: recordStatusChange,
    } as const;
    function Own() {
      const { status, open, close } = useCheckout({ ...given, signer: signs });
      return (
        <>
          <button type="button" data-state={status} onClick={() => open()}>
            Buy crypto
          </button>
          <button type="button" onClick={close}>
            Give up
          </button>
        </>
      );
    }
    render(<Own />);
    await openWidgetDialog();
    const first = await nth(1);
    first.stream();
    await closeWidgetDialog();
    const closed = await nth(2);
    answers = false;
    act(() => button().click());
    await waitFor(() => expect(button().dataset.state).toBe('signing'));
    act(() => screen.getByRole('button', { name: 'Give up' }).click());
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    closed.json(createCheckoutResponse({ progress: 'finished' }));
    await waitFor(() => expect(progressHistory()).toEqual(['finished']));
    expect(requests).toHaveLength(2);
  });

  it('works on RampProvider for the whole page, and on NftCheckout', async () => {
    const { nth } = statusBackend();
    render(
      <StrictMode>
        <RampProvider
          widgetUrl={widgetUrl}
          api="/api/ramp"
          signer={signer.signer}
          onStatusChange={recordStatusChange}
        >
          <NftCheckout merchantUniqueId="print-7" type="MINT" mintQuantity={1} />
        </RampProvider>
      </StrictMode>,
    );
    act(() => screen.getByRole('button', { name: 'Buy NFT' }).click());
    await waitForDialog();
    const events = (await nth(1)).stream();
    for (const state of ['finished', 'settlement', 'settled'] as const)
      events.send(createCheckoutResponse({ widget: 'nft', progress: state }));
    await waitFor(() => expect(progressHistory()).toEqual(['finished', 'settlement', 'settled']));
  });

  it('requests the state with the headers of the latest render', async () => {
    const { nth } = statusBackend();
    const { rerender } = render(
      statusChangePage({ headers: { 'X-Token': 'old' }, credentials: 'include' }),
    );
    await openWidgetDialog();
    const first = await nth(1);
    expect(first.init.credentials).toBe('include');
    rerender(statusChangePage({ headers: { 'X-Token': 'new' } }));
    first.stream().end();
    const again = await nth(2);
    expect(new Headers(again.init.headers).get('x-token')).toBe('new');
  });

  it('is called for a blocked window once its link is used', async () => {
    const { requests, nth } = statusBackend();
    vi.spyOn(window, 'open').mockReturnValue(null);
    render(statusChangePage({ display: 'window' }));
    act(() => button().click());
    const link = await screen.findByRole('link');
    await wait(50);
    expect(requests).toEqual([]);
    link.addEventListener('click', (event) => event.preventDefault());
    act(() => link.click());
    // The page cannot see the window of the link, so it polls, and so does the notice that says so.
    for (const request of [await nth(1), await nth(2)]) request.json(createCheckoutResponse());
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
  });
});

/** Makes the page poll its closed checkouts at once, as it does when the connection is back. */
const poll = () => void window.dispatchEvent(new Event('online'));
