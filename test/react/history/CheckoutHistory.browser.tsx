import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CheckoutHistory, type CheckoutHistoryProps, RampProvider } from '../../../src/index.js';
import '../../../src/styles.css';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import { order } from '../../support/browser/checkoutStatusPage.js';
import { elapseWidgetTime } from '../../support/browser/continueBackend.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { createListed, failure, historyBackend } from '../../support/browser/historyBackend.js';
import {
  dialog,
  frameParams,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';
import { pollNow } from '../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const page = (props: CheckoutHistoryProps = {}) => (
  <StrictMode>
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
      <CheckoutHistory locale="en-GB" {...props} />
    </RampProvider>
  </StrictMode>
);
const root = () => screen.getByRole('group', { name: 'Your orders' });
const expectState = async (state: string) => {
  await waitFor(() => expect(root().dataset.state).toBe(state));
  // Wait for the effects of StrictMode, which mount each entry twice.
  await act(async () => {});
};
const entries = () => [...root().querySelectorAll<HTMLElement>('.ramp-history-list > li')];
const titles = () => entries().map((li) => li.querySelector('strong')?.textContent);
const announced = () => root().querySelector('[role="status"]')?.textContent;
const more = () => screen.queryByRole('button', { name: 'Show older orders' });
const getDescription = (element: Element | null | undefined) =>
  element
    ?.getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => createListed(`r${i}`, { createdAt: 2_000_000_000 - i }));

describe('<CheckoutHistory />', () => {
  it('shows a skeleton, and then each checkout with its state', async () => {
    historyBackend(
      createListed('r1'),
      createListed('r2', { progress: 'finished', orders: [{ ...order, orderId: 'order-7' }] }),
      createListed('r3', { progress: 'settlement', widget: 'nft' }),
      createListed('r4', { progress: 'unconfirmed' }),
      createListed('r5', { progress: 'expired' }),
      createListed('r6', { progress: 'review' }),
      createListed('r7', { progress: 'a later version' as never }),
    );
    render(page());
    expect([root().dataset.state, root().getAttribute('aria-busy')]).toEqual(['loading', 'true']);
    expect(root().querySelector('.ramp-history-skeleton')).not.toBeNull();
    await expectState('success');
    expect(titles()).toEqual([
      'Not paid yet',
      'Delivered',
      'Paid',
      'Your order is being confirmed',
      'No payment received',
      'Your order is under review',
      'Your order is being confirmed',
    ]);
    expect(entries()[1]?.textContent).toMatch(/Delivered.*100\.00\sUSD.*Crypto purchase/);
    expect(entries()[1]?.textContent).toContain('order-7');
    expect(entries()[2]?.textContent).toContain('NFT purchase');
    expect(await findAxeViolations(document.body)).toEqual([]);
    entries()[1]?.querySelector('summary')?.click();
    await screen.findByRole('button', { name: 'Print receipt' });
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('continues a waiting checkout, and no other', async () => {
    const backend = historyBackend(createListed('r1'), createListed('r2', { progress: 'expired' }));
    render(page());
    await expectState('success');
    const [button, ...others] = screen.getAllByRole('button', { name: 'Continue checkout' });
    expect(others).toEqual([]);
    // The button, "Details" and the entry say which checkout they belong to.
    for (const each of [button, entries()[0]?.querySelector('summary'), entries()[0]])
      expect(getDescription(each)).toMatch(/^Not paid yet Crypto purchase.*\d/);
    act(() => button?.click());
    await waitForDialog();
    expect([backend.continued, frameParams().signature]).toEqual([['r1'], 'of r1']);
    expect(titles()[0]).toBe('Waiting for your payment');
  });

  it('keeps an open widget while the list is refreshed and the checkout is paid', async () => {
    const backend = historyBackend(createListed('r1'));
    render(page());
    await expectState('success');
    act(() => screen.getByRole('button', { name: 'Continue checkout' }).click());
    await waitForDialog();
    backend.checkouts = [createListed('r0'), createListed('r1', { progress: 'finished' })];
    pollNow();
    await waitFor(() => expect(titles()).toEqual(['Not paid yet', 'Delivered']));
    expect(dialog()?.open).toBe(true);
  });

  it('focuses the entry when its button is removed while it has the focus', async () => {
    const backend = historyBackend(createListed('r0'), createListed('r1'));
    render(page());
    await expectState('success');
    const [, button] = screen.getAllByRole('button', { name: 'Continue checkout' });
    act(() => button?.focus());
    backend.checkouts = [createListed('r0'), createListed('r1', { progress: 'finished' })];
    pollNow();
    await waitFor(() => expect(titles()).toEqual(['Not paid yet', 'Delivered']));
    expect(document.activeElement).toBe(entries()[1]);
  });

  it('refreshes the list and offers no button once the notice says that it is paid', async () => {
    const backend = historyBackend(createListed('r1'));
    render(page());
    await expectState('success');
    const button = screen.getByRole('button', { name: 'Continue checkout' });
    act(() => {
      button.focus();
      button.click();
    });
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    elapseWidgetTime();
    act(() => dialog()?.close());
    await waitFor(() => expect(entries()[0]?.textContent).toContain("don't pay again"));
    expect(document.activeElement).toBe(button);
    backend.checkouts = [createListed('r1', { progress: 'finished' })];
    await waitFor(() => expect(titles()).toEqual(['Delivered']), { timeout: 10_000 });
    expect(screen.queryByRole('button', { name: 'Continue checkout' })).toBeNull();
    expect(document.activeElement).toBe(entries()[0]);
  }, 15_000);

  it('shows the element of the page instead of an empty list', async () => {
    historyBackend();
    render(page({ empty: <a href="#shop">To the shop</a>, children: <p>Help</p> }));
    await expectState('empty');
    expect(announced()).toBe('No orders yet.');
    expect(screen.getByRole('link', { name: 'To the shop' })).toBeTruthy();
    expect(screen.queryByRole('list')).toBeNull();
    expect(screen.getByText('Help')).toBeTruthy();
  });

  it('loads older checkouts page by page, and moves the focus when there are no more', async () => {
    const backend = historyBackend(...many(5));
    render(page({ pageSize: 2 }));
    await expectState('success');
    expect(entries()).toHaveLength(2);
    act(() => more()?.focus());
    act(() => more()?.click());
    await waitFor(() => expect(entries()).toHaveLength(4));
    expect(document.activeElement).toBe(more());
    await waitFor(() => expect(announced()).toBe('4 orders shown.'));
    act(() => more()?.click());
    await waitFor(() => expect(entries()).toHaveLength(5));
    expect(more()).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(entries()[4]));
    expect(backend.requests.filter((path) => path.includes('cursor'))).toEqual([
      '/checkouts?limit=2&cursor=c2',
      '/checkouts?limit=2&cursor=c4',
    ]);
  });

  it('shows above its button that older checkouts cannot be loaded, and loads them with the button', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const backend = historyBackend(...many(3));
    render(page({ pageSize: 2 }));
    await expectState('success');
    backend.respond = failure(503, 'ERR_TIMEOUT');
    act(() => more()?.focus());
    act(() => more()?.click());
    const error = await screen.findByText('Older orders could not be loaded.');
    expect(error.parentElement?.getAttribute('role')).toBe('status');
    expect(error.parentElement?.nextElementSibling).toBe(more());
    expect([root().dataset.state, announced(), entries().length]).toEqual(['success', '', 2]);
    expect(document.activeElement).toBe(more());
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(await findAxeViolations(document.body)).toEqual([]);
    backend.respond = undefined;
    act(() => more()?.click());
    await waitFor(() => expect(entries()).toHaveLength(3));
    expect(screen.queryByText('Older orders could not be loaded.')).toBeNull();
  });

  it('adds the picture and the title of the page to each checkout', async () => {
    const name = 'مطبوعة '.repeat(1500);
    historyBackend(createListed('r1'));
    render(
      page({
        renderCheckout: ({ reference }, entry) => (
          <article>
            <h2 dir="auto">
              {name} {reference}
            </h2>
            {entry}
          </article>
        ),
      }),
    );
    await expectState('success');
    expect(screen.getByRole('heading').textContent).toContain('r1');
    expect(titles()).toEqual(['Not paid yet']);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  });

  it('shows that the list cannot be loaded, and loads it with "Try again"', async () => {
    const backend = historyBackend(createListed('r1'));
    backend.respond = failure(500, 'ERR_INTERNAL');
    vi.spyOn(console, 'warn').mockReturnValue();
    render(page());
    await expectState('error');
    expect(announced()).toMatch(/^Your orders could not be loaded/);
    expect(await findAxeViolations(document.body)).toEqual([]);
    backend.respond = undefined;
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    await expectState('success');
    expect(announced()).toBe('');
  });

  it('keeps the focus when "Try again" is gone', async () => {
    const backend = historyBackend(createListed('r1'));
    backend.respond = failure(500, 'ERR_INTERNAL');
    vi.spyOn(console, 'warn').mockReturnValue();
    render(page());
    await expectState('error');
    const retry = screen.getByRole('button', { name: 'Try again' });
    retry.focus();
    backend.respond = undefined;
    act(() => retry.click());
    await expectState('success');
    expect(document.activeElement).toBe(root());
  });

  it('keeps the list while the connection is lost, and refreshes it when the connection is back', async () => {
    accelerateTime();
    vi.spyOn(console, 'warn').mockReturnValue();
    const backend = historyBackend(createListed('r1'));
    render(page());
    await expectState('success');
    backend.respond = () => Promise.reject(new TypeError('Failed to fetch'));
    await expectState('error');
    expect(titles()).toEqual(['Not paid yet']);
    backend.respond = undefined;
    backend.checkouts = [createListed('r1', { progress: 'finished' })];
    pollNow();
    await waitFor(() => expect(titles()).toEqual(['Delivered']));
    await expectState('success');
  });

  it('passes its state and props to render', async () => {
    historyBackend(createListed('r1'));
    render(
      page({
        render: ({ ref, children, ...props }, { data, hasMore }) => (
          <section {...(props as object)} ref={ref as never} data-count={data?.length}>
            {children}
            {`${hasMore}`}
          </section>
        ),
      }),
    );
    await expectState('success');
    expect([root().tagName, root().dataset.count]).toEqual(['SECTION', '1']);
    expect(root().textContent).toContain('false');
  });

  it('shows ten thousand checkouts of a shopper in pages of 50', async () => {
    const backend = historyBackend(...many(10_000));
    render(page({ pageSize: 10_000 }));
    await expectState('success');
    expect(entries()).toHaveLength(50);
    expect(backend.requests).toEqual(['/checkouts?limit=50']);
  });
});
