import { act, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import {
  type CheckoutAnswer,
  type CheckoutSigner,
  NftCheckout,
  RampProvider,
  useCheckout,
} from '../../src/index.js';
import {
  close,
  eachAnew,
  openOnce,
  page,
  pause,
  progress,
  referenceOf,
  signer,
  tell,
  told,
} from '../support/followed-button.js';
import { button, opened, widgetUrl } from '../support/on-ramp-button.js';
import { answerOf, statusBackend } from '../support/status-backend.js';

eachAnew();

describe('onStatusChange', () => {
  it('hears the present state, then each change once, also after the widget was closed', async () => {
    const { asked, nth } = statusBackend();
    render(page());
    await openOnce();
    const first = await nth(1);
    expect(first.path).toBe(`/api/ramp/checkouts/${referenceOf(first)}/events`);
    expect(referenceOf(first)).toMatch(/^ref-\d+$/);
    const events = first.stream();
    const answer = (given: Partial<CheckoutAnswer>) =>
      events.send(answerOf({ reference: referenceOf(first), ...given }));
    answer({});
    await waitFor(() => expect(progress()).toEqual(['waiting']));
    await close();
    answer({});
    answer({ progress: 'unconfirmed' });
    answer({ progress: 'finished' });
    await waitFor(() => expect(progress()).toEqual(['waiting', 'unconfirmed', 'finished']));
    expect(told[0]?.reference).toBe(referenceOf(first));
    // It is over.
    expect(first.init.signal?.aborted).toBe(true);
    await pause(50);
    expect(asked).toHaveLength(1);
  });

  it('calls the callback of the latest render', async () => {
    const { nth } = statusBackend();
    const latest = vi.fn();
    const { rerender } = render(page());
    await openOnce();
    const events = (await nth(1)).stream();
    events.send(answerOf());
    await waitFor(() => expect(progress()).toEqual(['waiting']));
    rerender(page({ onStatusChange: latest }));
    events.send(answerOf({ progress: 'unconfirmed' }));
    await waitFor(() => expect(latest).toHaveBeenCalledOnce());
    expect(latest.mock.calls[0]?.[0]).toMatchObject({ progress: 'unconfirmed' });
    expect(told).toHaveLength(1);
    rerender(page({ onStatusChange: undefined }));
    events.send(answerOf({ progress: 'finished' }));
    await pause(50);
    expect(latest).toHaveBeenCalledOnce();
  });

  it('follows two checkouts of one button, each until it is over', async () => {
    const { asked, nth } = statusBackend();
    render(page());
    await openOnce();
    const first = await nth(1);
    const one = first.stream();
    one.send(answerOf({ reference: referenceOf(first) }));
    await waitFor(() => expect(told).toHaveLength(1));
    await close();
    await openOnce();
    const second = await nth(2);
    const two = second.stream();
    expect(referenceOf(second)).not.toBe(referenceOf(first));
    expect(first.init.signal?.aborted).toBe(false);
    two.send(answerOf({ reference: referenceOf(second), progress: 'finished' }));
    await waitFor(() => expect(told).toHaveLength(2));
    expect([first, second].map(({ init }) => init.signal?.aborted)).toEqual([false, true]);
    one.send(answerOf({ reference: referenceOf(first), progress: 'finished' }));
    await waitFor(() => expect(told).toHaveLength(3));
    expect(told.map(({ reference, progress }) => [reference, progress])).toEqual([
      [referenceOf(first), 'waiting'],
      [referenceOf(second), 'finished'],
      [referenceOf(first), 'finished'],
    ]);
    expect(first.init.signal?.aborted).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('goes on with the first while a second is given up before it opens', async () => {
    const { asked, nth } = statusBackend();
    let answers = true;
    const signs: CheckoutSigner = (...given) =>
      answers ? signer.signer(...given) : new Promise(() => {});
    const given = { widget: 'on-ramp', widgetUrl, api: '/api/ramp', onStatusChange: tell } as const;
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
    await openOnce();
    const { init, stream } = await nth(1);
    const events = stream();
    await close();
    answers = false;
    act(() => button().click());
    await waitFor(() => expect(button().dataset.state).toBe('signing'));
    act(() => screen.getByRole('button', { name: 'Give up' }).click());
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    expect(init.signal?.aborted).toBe(false);
    events.send(answerOf({ progress: 'finished' }));
    await waitFor(() => expect(progress()).toEqual(['finished']));
    expect(asked).toHaveLength(1);
  });

  it('is one of RampProvider for the whole page, and of NftCheckout', async () => {
    const { nth } = statusBackend();
    render(
      <StrictMode>
        <RampProvider
          widgetUrl={widgetUrl}
          api="/api/ramp"
          signer={signer.signer}
          onStatusChange={tell}
        >
          <NftCheckout merchantUniqueId="print-7" type="MINT" mintQuantity={1} />
        </RampProvider>
      </StrictMode>,
    );
    act(() => screen.getByRole('button', { name: 'Buy NFT' }).click());
    await opened();
    const events = (await nth(1)).stream();
    for (const state of ['finished', 'settlement', 'settled'] as const)
      events.send(answerOf({ widget: 'nft', progress: state }));
    await waitFor(() => expect(progress()).toEqual(['finished', 'settlement', 'settled']));
  });

  it('asks with the headers of the latest render', async () => {
    const { nth } = statusBackend();
    const { rerender } = render(page({ headers: { 'X-Token': 'old' }, credentials: 'include' }));
    await openOnce();
    const first = await nth(1);
    expect(first.init.credentials).toBe('include');
    rerender(page({ headers: { 'X-Token': 'new' } }));
    first.stream().end();
    const again = await nth(2);
    expect(new Headers(again.init.headers).get('x-token')).toBe('new');
  });

  it('hears of a blocked window once its link is used', async () => {
    const { asked, nth } = statusBackend();
    vi.spyOn(window, 'open').mockReturnValue(null);
    render(page({ display: 'window' }));
    act(() => button().click());
    const link = await screen.findByRole('link');
    await pause(50);
    expect(asked).toEqual([]);
    link.addEventListener('click', (event) => event.preventDefault());
    act(() => link.click());
    (await nth(1)).stream().send(answerOf());
    await waitFor(() => expect(progress()).toEqual(['waiting']));
  });
});
