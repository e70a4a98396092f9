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
import { openLink } from '../../support/browser/openLink.js';
import {
  createCheckoutResponse,
  pollNow,
  type StatusRequest,
  statusBackend,
} from '../../support/browser/statusBackend.js';
import {
  closeWidgetDialog,
  getNewest,
  openWidgetDialog,
  progressHistory,
  recordStatusChange,
  resetBeforeEach,
  signer,
  statusChangePage,
  statusChanges,
  wait,
} from './statusChangePage.js';

resetBeforeEach();

/** Responds with the present state of each checkout of a request: unpaid, or what `progress` says. */
const respond = (
  request: StatusRequest,
  progress: Readonly<Record<string, CheckoutResponse['progress']>> = {},
) =>
  request.respond(
    ...request.references.map((reference) =>
      createCheckoutResponse({ reference, progress: progress[reference] ?? 'waiting' }),
    ),
  );

describe('onStatusChange', () => {
  it('is called with the present state, then once per change, also after the widget was closed', async () => {
    const { requests, nth } = statusBackend();
    render(statusChangePage());
    await openWidgetDialog();
    const first = await nth(1);
    const reference = getNewest(first);
    expect(reference).toMatch(/^ref-\d+$/);
    expect(first.path).toBe(`/api/ramp/checkouts?references=${reference}`);
    respond(first);
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    pollNow();
    respond(await nth(2));
    pollNow();
    respond(await nth(3), { [reference]: 'unconfirmed' });
    await waitFor(() => expect(progressHistory()).toEqual(['waiting', 'unconfirmed']));
    await closeWidgetDialog();
    respond(await nth(4), { [reference]: 'finished' });
    await waitFor(() => expect(progressHistory()).toEqual(['waiting', 'unconfirmed', 'finished']));
    expect(statusChanges.map((change) => change.reference)).toEqual(Array(3).fill(reference));
    // `finished` is the last state of this checkout, so the page sends no further request.
    pollNow();
    await wait(50);
    expect(requests).toHaveLength(4);
  });

  it('follows any number of closed checkouts with one request at a time, and another one opens', async () => {
    const { requests, nth } = statusBackend();
    render(statusChangePage());
    for (let opened = 1; opened <= 7; opened++) {
      await openWidgetDialog();
      await waitFor(() => {
        const pending = requests.at(-1);
        if (pending) respond(pending);
        expect(pending?.references).toHaveLength(opened);
      });
      const count = requests.length;
      await closeWidgetDialog();
      await nth(count + 1);
    }
    await waitFor(() => expect(progressHistory()).toEqual(Array(7).fill('waiting')));
    // The poll after the last closing is the only request that is pending.
    const last = await nth(requests.length);
    expect(last.references).toHaveLength(7);
    respond(last, { [last.references[0] ?? '']: 'finished' });
    await waitFor(() => expect(progressHistory()).toContain('finished'));
  });

  it('polls on once the closed checkout is continued', async () => {
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    const { events } = await renderOpenCheckout({ onStatusChange: recordStatusChange });
    elapseWidgetTime();
    await closeWidgetDialog();
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    accelerateTime();
    act(() => screen.getByRole('button', { name: 'Continue' }).click());
    await waitFor(() => expect(events.map(({ type }) => type)).toContain('closed'));
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(() => expect(progressHistory()).toEqual(['waiting', 'finished']));
  });

  it('is the callback of the latest render', async () => {
    const { requests, nth } = statusBackend();
    const latest = vi.fn();
    const { rerender } = render(statusChangePage());
    await openWidgetDialog();
    const first = await nth(1);
    const reference = getNewest(first);
    respond(first);
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    rerender(statusChangePage({ onStatusChange: latest }));
    pollNow();
    respond(await nth(2), { [reference]: 'unconfirmed' });
    await waitFor(() => expect(latest).toHaveBeenCalledOnce());
    expect(latest.mock.calls[0]?.[0]).toMatchObject({ progress: 'unconfirmed' });
    expect(statusChanges).toHaveLength(1);
    rerender(statusChangePage({ onStatusChange: undefined }));
    pollNow();
    respond(await nth(requests.length + 1), { [reference]: 'finished' });
    await wait(50);
    expect(latest).toHaveBeenCalledOnce();
  });

  it('reports two checkouts of one button, each until it is terminal', async () => {
    const { requests, nth } = statusBackend();
    render(statusChangePage());
    await openWidgetDialog();
    const first = getNewest(await nth(1));
    respond(await nth(1));
    await waitFor(() => expect(statusChanges).toHaveLength(1));
    await closeWidgetDialog();
    respond(await nth(2));
    await openWidgetDialog();
    const both = await nth(3);
    const second = both.references.find((reference) => reference !== first) ?? '';
    expect(both.references).toContain(first);
    respond(both, { [second]: 'finished' });
    await waitFor(() => expect(statusChanges).toHaveLength(2));
    pollNow();
    const rest = await nth(4);
    expect(rest.references).toEqual([first]);
    respond(rest, { [first]: 'finished' });
    await waitFor(() => expect(statusChanges).toHaveLength(3));
    expect(statusChanges.map(({ reference, progress }) => [reference, progress])).toEqual([
      [first, 'waiting'],
      [second, 'finished'],
      [first, 'finished'],
    ]);
    pollNow();
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
    respond(await nth(1));
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    await closeWidgetDialog();
    const closed = await nth(2);
    answers = false;
    act(() => button().click());
    await waitFor(() => expect(button().dataset.state).toBe('signing'));
    act(() => screen.getByRole('button', { name: 'Give up' }).click());
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    respond(closed, { [getNewest(closed)]: 'finished' });
    await waitFor(() => expect(progressHistory()).toEqual(['waiting', 'finished']));
    expect(requests).toHaveLength(2);
  });

  it('works on RampProvider for the whole page, and on NftCheckout', async () => {
    const { requests, nth } = statusBackend();
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
    await nth(1);
    for (const progress of ['finished', 'settlement', 'settled'] as const) {
      const request = await nth(requests.length);
      const reference = getNewest(request);
      request.respond(createCheckoutResponse({ reference, widget: 'nft', progress }));
      await waitFor(() => expect(progressHistory().at(-1)).toBe(progress));
      const count = requests.length;
      pollNow();
      if (progress !== 'settled') await nth(count + 1);
    }
    expect(progressHistory()).toEqual(['finished', 'settlement', 'settled']);
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
    respond(first);
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    pollNow();
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
    await openLink(link);
    respond(await nth(1));
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
  });
});
