import { act, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type CheckoutAnswer,
  type CheckoutSigner,
  NftCheckout,
  OnRampButton,
  type OnRampButtonProps,
  RampProvider,
  useCheckout,
} from '../../src/index.js';
import { countingSigner } from '../support/counting-signer.js';
import { button, dialog, opened, widgetUrl } from '../support/on-ramp-button.js';
import { popup } from '../support/popup.js';
import { type Asked, answerOf, statusBackend } from '../support/status-backend.js';

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** The reference that a stream is about. */
const referenceOf = ({ path }: Asked) => path.split('/').at(-2) ?? '';

let signer: ReturnType<typeof countingSigner>;
let told: CheckoutAnswer[];
const tell = (answer: CheckoutAnswer) => void told.push(answer);
const progress = () => told.map((answer) => answer.progress);

const page = (props: Partial<OnRampButtonProps> = {}) => (
  <RampProvider widgetUrl={widgetUrl} api="/api/ramp" signer={signer.signer}>
    <OnRampButton {...({ onStatusChange: tell, ...props } as OnRampButtonProps)} />
  </RampProvider>
);

const close = async () => {
  act(() => dialog()?.close());
  await waitFor(() => expect(dialog()).toBeNull());
};
const openOnce = async () => {
  act(() => button().click());
  await opened();
};

beforeEach(() => {
  signer = countingSigner();
  told = [];
});
afterEach(() => {
  vi.useRealTimers();
});

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

describe('What is followed ends', () => {
  const stages: Readonly<Record<string, (first: Asked) => unknown>> = {
    'before the stream is answered': () => {},
    'after the present state': async ({ stream }) => {
      stream().send(answerOf());
      await waitFor(() => expect(told).toHaveLength(1));
    },
    'while the backend is asked again': async ({ stream }) => {
      stream().end();
      await pause(20);
    },
    'while it waits after a failure': async ({ fail }) => {
      fail();
      await pause(20);
    },
  };

  it.each(Object.entries(stages))('with the component, %s', async (_, reach) => {
    const { asked, nth } = statusBackend();
    const { unmount } = render(<StrictMode>{page()}</StrictMode>);
    await openOnce();
    const first = await nth(1);
    await reach(first);
    const before = told.length;
    unmount();
    expect(first.init.signal?.aborted).toBe(true);
    // What ends every pause between two questions.
    window.dispatchEvent(new Event('online'));
    await pause(200);
    expect(asked).toHaveLength(1);
    expect(told).toHaveLength(before);
  });

  it('with the component, in the task in which it is opened', async () => {
    const { asked } = statusBackend();
    const { unmount } = render(page({ onOpen: () => unmount() }));
    act(() => button().click());
    await waitFor(() => expect(document.querySelector('.ramp-button')).toBeNull());
    await pause(100);
    expect(asked.filter(({ init }) => !init.signal?.aborted)).toEqual([]);
    expect(told).toEqual([]);
  });

  it('with the component, though its window stays open', async () => {
    const { nth } = statusBackend();
    const blank = popup();
    vi.spyOn(window, 'open').mockReturnValue(blank as never);
    const { unmount } = render(page({ display: 'window' }));
    act(() => button().click());
    const first = await nth(1);
    unmount();
    expect(first.init.signal?.aborted).toBe(true);
    expect(blank.closed).toBe(false);
  });

  it('and begins anew with a component that comes back', async () => {
    const { nth } = statusBackend();
    const { unmount } = render(page());
    await openOnce();
    await nth(1);
    unmount();
    render(page());
    await openOnce();
    (await nth(2)).stream().send(answerOf());
    await waitFor(() => expect(progress()).toEqual(['waiting']));
  });
});

describe('Nothing is followed', () => {
  it.each([
    ['without an api', { api: undefined as never }],
    ['without the callback', { onStatusChange: undefined }],
  ])('%s', async (_, props) => {
    const { asked } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    render(
      <OnRampButton
        {...({
          widgetUrl,
          signer: signer.signer,
          onStatusChange: tell,
          api: '/api/ramp',
          ...props,
        } as OnRampButtonProps)}
      />,
    );
    await openOnce();
    await pause(100);
    expect(asked).toEqual([]);
  });

  it('for a Basic Partner, whose checkouts have no reference', async () => {
    const { asked } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    render(<OnRampButton widgetUrl={widgetUrl} onStatusChange={tell} />);
    await openOnce();
    await pause(100);
    expect(asked).toEqual([]);
    expect(told).toEqual([]);
  });
});

describe('What goes wrong while a checkout is followed', () => {
  it('leaves the button as it is', async () => {
    const { nth } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const onError = vi.fn();
    render(page({ onError }));
    await openOnce();
    const refusal = { error: { code: 'ERR_REQUEST', message: 'There is no such checkout.' } };
    (await nth(1)).json(refusal, 404);
    (await nth(2)).json(refusal, 404);
    await pause(50);
    expect(button().dataset.state).toBe('open');
    expect(document.querySelector('.ramp-note')).toBeNull();
    expect(onError).not.toHaveBeenCalled();
    await close();
    await openOnce();
    (await nth(3)).stream().send(answerOf());
    await waitFor(() => expect(progress()).toEqual(['waiting']));
  });

  it("is the page's own where its callback throws, and the next change is told", async () => {
    const { nth } = statusBackend();
    const reported: unknown[] = [];
    vi.spyOn(window, 'reportError').mockImplementation((error) => void reported.push(error));
    const fault = new Error('the page');
    render(
      page({
        onStatusChange: (answer) => {
          told.push(answer);
          throw fault;
        },
      }),
    );
    await openOnce();
    const events = (await nth(1)).stream();
    events.send(answerOf());
    events.send(answerOf({ progress: 'finished' }));
    await waitFor(() => expect(progress()).toEqual(['waiting', 'finished']));
    expect(reported).toEqual([fault, fault]);
    expect(button().dataset.state).toBe('open');
  });
});
