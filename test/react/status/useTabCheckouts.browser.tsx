import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addOpenedCheckout,
  getOpenedCheckouts,
  removeOpenedCheckout,
} from '../../../src/client/pageCheckouts.js';
import {
  CheckoutStatus,
  type CheckoutStatusProps,
  OnRampButton,
  RampProvider,
} from '../../../src/index.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import { card, expectState, order, rows } from '../../support/browser/checkoutStatusPage.js';
import { continueBackend } from '../../support/browser/continueBackend.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import {
  button,
  dialog,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

const api = '/api/ramp';
const page = (props: Partial<CheckoutStatusProps> = {}) => (
  <RampProvider widgetUrl={widgetUrl} api={api}>
    <OnRampButton />
    <CheckoutStatus locale="en-GB" {...props}>
      <a href="#help">Help</a>
    </CheckoutStatus>
  </RampProvider>
);
const title = () => card().querySelector('.ramp-status-title')?.textContent;
/** The line of a delivered checkout, with the time of its payment. */
const delivered = expect.stringMatching(/^Delivered 100\.00 USD .*\d+:\d\d/);

const others = () =>
  screen.queryAllByRole('listitem').flatMap((line) => {
    const show = line.querySelector('button');
    return show ? [line.textContent?.replace(/\s+/g, ' ').replace(/ ?Show$/, '')] : [];
  });

let backend: ReturnType<typeof continueBackend>;
const forgetOpened = () => {
  for (const reference of getOpenedCheckouts(api)) removeOpenedCheckout(api, reference);
};
beforeEach(() => {
  // Another test file in the same tab may have opened some.
  forgetOpened();
  backend = continueBackend();
});
afterEach(() => {
  cleanup();
  forgetOpened();
  vi.useRealTimers();
});

describe('<CheckoutStatus /> without a reference', () => {
  it('is hidden until a button of the page opens a checkout, and then shows it', async () => {
    render(page());
    expect([card().hidden, card().dataset.state]).toEqual([true, 'idle']);
    backend.answers[backend.reference] = {};
    act(() => button().click());
    await waitForDialog();
    await expectState('waiting');
    expect(card().hidden).toBe(false);
    expect(screen.getByText('Help')).toBeTruthy();
    act(() => dialog()?.close());
    await waitFor(() => expect(dialog()).toBeNull());
    await waitFor(() => expect(title()).toBe('Not paid yet'));
  });

  it('keeps an earlier checkout when another is opened', async () => {
    backend.answers = { r1: { progress: 'finished', orders: [order] }, r2: {}, r3: {} };
    addOpenedCheckout(api, 'r1');
    render(page());
    await expectState('finished');
    act(() => addOpenedCheckout(api, 'r2'));
    await expectState('waiting');
    await waitFor(() => expect(others()).toEqual([delivered]));
    act(() => addOpenedCheckout(api, 'r3'));
    await waitFor(() => expect(others()).toEqual(['Waiting for your payment', delivered]));
    expect(await findAxeViolations(card())).toEqual([]);
  });

  it('shows the checkout that the shopper chooses, until a newer one is opened', async () => {
    backend.answers = { r1: { progress: 'finished', orders: [order] }, r2: {}, r3: {} };
    for (const reference of ['r1', 'r2']) addOpenedCheckout(api, reference);
    render(page());
    const show = await screen.findByRole('button', { name: 'Show' });
    expect(
      document.getElementById(show.getAttribute('aria-describedby') ?? '')?.textContent,
    ).toMatch(/^Delivered/);
    act(() => show.click());
    await expectState('finished');
    expect(document.activeElement).toBe(card());
    expect(rows()[0]).toEqual(['You paid', '100.00\u00a0USD']);
    await waitFor(() => expect(others()).toEqual(['Waiting for your payment']));
    act(() => addOpenedCheckout(api, 'r3'));
    await expectState('waiting');
  });

  it('prefers a checkout that is not terminal, and keeps the shown one when it ends', async () => {
    accelerateTime();
    backend.answers = { r1: {}, r2: { progress: 'finished', orders: [order] } };
    for (const reference of ['r1', 'r2']) addOpenedCheckout(api, reference);
    render(page());
    await expectState('waiting');
    backend.answers.r1 = { progress: 'finished', orders: [order, order] };
    await waitFor(() => expect(title()).toBe('Delivered'));
    expect(screen.getAllByText(/^Order \d/)).toHaveLength(2);
  });

  it('shows the newest checkout until all have loaded, and then the open one', async () => {
    const finished = { progress: 'finished', orders: [order] } as const;
    backend.answers = { r1: {}, r2: finished, r3: finished, r4: finished };
    for (const reference of ['r1', 'r2', 'r3', 'r4']) addOpenedCheckout(api, reference);
    const shown: (string | undefined)[] = [];
    render(
      page({
        render: (props, { data }) => {
          if (data) shown.push(data.reference);
          return <div {...props} />;
        },
      }),
    );
    await expectState('waiting');
    // The card has shown no checkout that ended before.
    expect(shown.filter((reference) => reference !== 'r4' && reference !== 'r1')).toEqual([]);
    expect(shown.at(-1)).toBe('r1');
    // All of them are in the first request.
    expect(backend.polls[0]).toEqual(['r1', 'r2', 'r3', 'r4']);
  });

  it('keeps the element, the ref and the children from the first render on', async () => {
    backend.answers = { r1: {}, r2: {} };
    const mounted = vi.fn();
    const Field = () => {
      useEffect(mounted, []);
      return <input aria-label="Note" />;
    };
    const elements = new Set<HTMLElement>();
    const ref = (element: HTMLDivElement | null) => {
      if (element) elements.add(element);
    };
    render(
      <RampProvider widgetUrl={widgetUrl} api={api}>
        <CheckoutStatus ref={ref} className="shown">
          <Field />
        </CheckoutStatus>
      </RampProvider>,
    );
    const field = screen.getByLabelText<HTMLInputElement>('Note');
    field.value = 'typed';
    for (const reference of ['r1', 'r2']) act(() => addOpenedCheckout(api, reference));
    await expectState('waiting');
    await screen.findByRole('button', { name: 'Show' });
    expect(screen.getByLabelText('Note')).toBe(field);
    expect(mounted).toHaveBeenCalledTimes(1);
    expect([...elements]).toEqual([card()]);
  });

  it('removes a checkout of another user', async () => {
    backend.answers = { r1: {} };
    for (const reference of ['r1', 'foreign']) addOpenedCheckout(api, reference);
    render(page());
    await expectState('waiting');
    expect(getOpenedCheckouts(api)).toEqual(['r1']);
    expect(others()).toEqual([]);
  });

  it('ignores checkouts of another api and of an order page', async () => {
    backend.answers = { r1: {}, r2: {} };
    addOpenedCheckout('/other', 'r1');
    render(page());
    await act(() => new Promise((done) => setTimeout(done, 100)));
    expect(card().hidden).toBe(true);
    cleanup();
    addOpenedCheckout(api, 'r1');
    render(page({ reference: 'r2' }));
    await expectState('waiting');
    expect(others()).toEqual([]);
    removeOpenedCheckout('/other', 'r1');
  });

  it('takes a reference that is undefined as none, so that a page can pass one on', async () => {
    const unconfirmed = { progress: 'unconfirmed' } as const;
    backend.answers = { r1: unconfirmed, r2: unconfirmed };
    addOpenedCheckout(api, 'r1');
    const { rerender } = render(page({ reference: undefined }));
    await expectState('unconfirmed');
    expect(screen.getByText('r1')).toBeTruthy();
    rerender(page({ reference: 'r2' }));
    await waitFor(() => expect(screen.queryByText('r2')).not.toBeNull());
    rerender(page({ reference: undefined }));
    await waitFor(() => expect(screen.queryByText('r1')).not.toBeNull());
  });

  it('shows only the checkouts of its widget', async () => {
    const nft = { widget: 'nft', progress: 'finished' } as const;
    backend.answers = { r1: {}, n1: nft, n2: nft };
    for (const reference of ['r1', 'n1']) addOpenedCheckout(api, reference);
    const states: unknown[] = [];
    render(
      <RampProvider widgetUrl={widgetUrl} api={api}>
        <CheckoutStatus
          widget="on-ramp"
          render={(props, { data }) => {
            states.push(data?.reference);
            return <div {...props} data-testid="on-ramp" />;
          }}
        />
        <CheckoutStatus widget="nft" data-testid="nft" />
      </RampProvider>,
    );
    const state = (id: string) => screen.getByTestId(id).dataset.state;
    await waitFor(() => expect([state('on-ramp'), state('nft')]).toEqual(['waiting', 'finished']));
    const from = states.length;
    act(() => addOpenedCheckout(api, 'n2'));
    await waitFor(() => expect(others()).toEqual(['Paid']));
    expect(new Set(states.slice(from))).toEqual(new Set(['r1']));
    expect(screen.getByTestId('nft').hasAttribute('widget')).toBe(false);
  });

  it('warns in development without an api', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    render(<CheckoutStatus />);
    await waitFor(() =>
      expect(warned.mock.calls.join()).toMatch(/without a reference.*api is missing/),
    );
    expect(card().hidden).toBe(true);
  });
});
