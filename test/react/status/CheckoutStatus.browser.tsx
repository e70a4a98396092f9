import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CheckoutStatusProps } from '../../../src/index.js';
import { messages as german } from '../../../src/messages/de.js';
import '../../../src/styles.css';

import {
  card,
  checkoutStatusPage,
  expectState,
  hash,
  liveRegion,
  order,
  renderStatus,
  rows,
  steps,
} from '../../support/browser/checkoutStatusPage.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { createCheckoutResponse, statusBackend } from '../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('<CheckoutStatus />', () => {
  it('shows the steps with their times, the paid and received amounts, and the transaction', async () => {
    await renderStatus({ progress: 'finished', orders: [order] });
    expect(liveRegion().textContent).toBe('Delivered97.09\u00a0USDT arrived in your wallet.');
    expect(steps()).toEqual([
      expect.stringMatching(/^Payment Done .*\d{1,2}:\d\d$/),
      expect.stringMatching(/^Transfer to your wallet Done .*\d{1,2}:\d\d$/),
      expect.stringMatching(/^Delivery Done .*\d{1,2}:\d\d$/),
    ]);
    expect(rows()).toEqual([
      ['You paid', '100.00\u00a0USD'],
      ['You received', '97.09\u00a0USDT'],
      ['Network', 'Ethereum'],
      ['Transaction', expect.stringContaining(hash)],
    ]);
    const times = card().querySelectorAll('time');
    expect([...times].map(({ dateTime }) => dateTime)).toEqual([
      '2026-09-21T14:13:20.000Z',
      '2026-09-21T14:14:20.000Z',
      '2026-09-21T14:15:20.000Z',
    ]);
  });

  it.each([
    ['waiting', 'Waiting for your payment', 'Payment In progress'],
    ['unconfirmed', 'Your order is being confirmed', 'Transfer to your wallet In progress'],
    ['expired', 'No payment received', 'Payment On hold'],
    ['review', 'Your order is under review', 'Transfer to your wallet On hold'],
  ] as const)('shows its state as text: %s', async (progress, title, present) => {
    await renderStatus({ progress });
    expect(card().dataset.state).toBe(progress);
    expect(liveRegion().textContent).toContain(title);
    const current = screen.getAllByRole('listitem').filter((step) => step.ariaCurrent === 'step');
    expect(current.map(({ textContent }) => textContent)).toEqual([present]);
    expect(await findAxeViolations(card())).toEqual([]);
  });

  it.each([
    ['finished', undefined],
    ['settlement', 'Settlement with the seller in progress'],
    ['settled', 'Settled with the seller'],
  ] as const)('shows an NFT as paid, and its settlement in one line: %s', async (state, line) => {
    await renderStatus({ widget: 'nft', progress: state, orders: [{ ...order, state }] });
    expect(liveRegion().textContent).toBe(
      "PaidYour payment was received. You don't need to do anything.",
    );
    expect(steps()).toEqual([
      expect.stringMatching(/^Payment Done/),
      expect.stringMatching(/^Confirmed Done/),
    ]);
    expect(card().querySelector('.ramp-status-settlement')?.textContent?.trim()).toBe(line);
    expect(rows()[1]).toEqual(['Price', '97.09\u00a0USDT']);
    expect(await findAxeViolations(card())).toEqual([]);
  });

  it('announces no order that had ended before the page was loaded, but the changes after that', async () => {
    const modes: (string | null)[] = [];
    const observer = new MutationObserver(() => {
      const region = document.querySelector('.ramp-status-head');
      if (region?.textContent?.startsWith('Delivered'))
        modes.push(region.getAttribute('aria-live'));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    await renderStatus({ progress: 'finished', orders: [order] });
    observer.disconnect();
    expect(modes[0]).toBe('off');
    // Then `aria-live` is removed, so that later changes, such as a refund, are announced.
    await waitFor(() => expect(liveRegion().getAttribute('aria-live')).toBeNull(), {
      timeout: 3000,
    });
  });

  it('has its state as a heading, which looks like text', async () => {
    await renderStatus({ progress: 'finished', orders: [order] });
    const heading = screen.getByRole('heading', { name: 'Delivered', level: 2 });
    expect(heading.tagName).toBe('P');
    expect(await findAxeViolations(card())).toEqual([]);
  });

  it('announces each change once, and not a render', async () => {
    const { sendState, rerender } = await renderStatus({});
    const region = liveRegion();
    const announced: string[] = [];
    const observer = new MutationObserver(() => announced.push(region.textContent ?? ''));
    observer.observe(region, { childList: true, characterData: true, subtree: true });
    for (let i = 0; i < 5; i++) rerender(checkoutStatusPage());
    await sendState({});
    await waitFor(() => expect(steps()[0]).toBe('Payment In progress'));
    expect(announced).toEqual([]);
    await sendState({ progress: 'unconfirmed' });
    await expectState('unconfirmed');
    expect(liveRegion()).toBe(region);
    expect(announced).toHaveLength(1);
    expect(announced[0]).toMatch(/^Your order is being confirmed/);
    for (let i = 0; i < 5; i++) rerender(checkoutStatusPage());
    expect(announced).toHaveLength(1);
    observer.disconnect();
  });

  it('lists several orders, each with its amounts', async () => {
    await renderStatus({
      progress: 'finished',
      orders: [order, { ...order, currencyAmount: '7.00', transactionHash: 'abc' }],
    });
    expect(screen.getByText(/^Order 2/)).toBeTruthy();
    expect(card().querySelectorAll('dl')).toHaveLength(2);
    expect(rows()[4]).toEqual(['You paid', '7.00\u00a0USD']);
    expect(liveRegion().textContent).toBe('DeliveredYour purchase has arrived in your wallet.');
    expect(steps()[0]).toBe('Payment Done');
  });

  it('shows in one sentence that another payment is under review', async () => {
    const sentence = 'The shop is reviewing another payment.';
    const { sendState } = await renderStatus({
      progress: 'finished',
      widget: 'nft',
      orders: [order],
    });
    expect(liveRegion().textContent).not.toContain(sentence);
    await sendState({ progress: 'finished', widget: 'nft', orders: [order], underReview: 1 });
    await waitFor(() => expect(liveRegion().textContent).toContain(sentence));
    expect(card().dataset.state).toBe('finished');
    expect(await findAxeViolations(card())).toEqual([]);
    await sendState({ progress: 'settlement', widget: 'nft', orders: [order], underReview: 0 });
    await expectState('settlement');
    expect(liveRegion().textContent).toBe(
      "PaidYour payment was received. You don't need to do anything.",
    );
  });

  it('omits values that the backend does not know', async () => {
    await renderStatus({ progress: 'finished', orders: [{ state: 'finished' }] });
    expect(card().querySelector('dl')).toBeNull();
    expect(steps()).toEqual(['Payment Done', 'Transfer to your wallet Done', 'Delivery Done']);
    cleanup();
    await renderStatus({
      progress: 'finished',
      orders: [{ state: 'finished', currencyAmount: '100', cryptoCurrencyAmount: '5' }],
    });
    expect(rows()).toEqual([
      ['You paid', '100'],
      ['You received', '5'],
    ]);
  });

  it('shows no details of an unconfirmed order', async () => {
    await renderStatus({ progress: 'unconfirmed', orders: [{ ...order, state: 'unknown' }] });
    expect(rows().map(([name]) => name)).toEqual(['Payment', 'Delivery', 'Network', 'Transaction']);
  });

  it('shows an unknown progress as unconfirmed, not as a missing payment', async () => {
    await renderStatus({ progress: 'refunding' as never });
    expect(card().dataset.state).toBe('unconfirmed');
    expect(liveRegion().textContent).not.toContain('Waiting');
  });

  it('shows every digit of amounts of any length at a width of 320 pixels', async () => {
    const amount = '123456789012345678.123456789012345678';
    const container = document.createElement('div');
    container.style.inlineSize = '288px';
    document.body.append(container);
    const { nth } = statusBackend();
    const { unmount } = render(checkoutStatusPage(), { container });
    (await nth(1)).respond(
      createCheckoutResponse({
        progress: 'finished',
        orders: [{ ...order, currencyAmount: amount, cryptoCurrencyAmount: amount }],
      }),
    );
    await expectState('finished');
    expect(rows()[1]?.[1]?.replace(/[^\d.]/g, '')).toBe(amount);
    const { right } = card().getBoundingClientRect();
    for (const element of card().querySelectorAll('dd, dd *:not(.ramp-visually-hidden)'))
      expect(element.getBoundingClientRect().right).toBeLessThanOrEqual(right);
    unmount();
    container.remove();
  });

  it('links to the transaction only by https', async () => {
    for (const transactionUrl of [
      'http://explorer.example/tx/1',
      'javascript:alert(1)',
      '//explorer.example',
      'tx/1',
    ]) {
      await renderStatus({ progress: 'finished', orders: [{ ...order, transactionUrl }] });
      expect(screen.queryByRole('link')).toBeNull();
      cleanup();
    }
    await renderStatus({ progress: 'finished', orders: [order] });
    const link = screen.getByRole<HTMLAnchorElement>('link', {
      name: 'View the transaction in a new tab',
    });
    expect(link.href).toBe(order.transactionUrl);
    expect([link.target, link.rel]).toEqual(['_blank', 'noreferrer']);
  });

  it('shows a shortened hash, of which a selection copies the whole', async () => {
    await renderStatus({ progress: 'finished', orders: [order] });
    const code = screen.getByTitle(hash);
    expect(code.textContent).toBe(hash);
    getSelection()?.selectAllChildren(code);
    expect(getSelection()?.toString()).toBe(hash);
    // The shown part is narrower than the whole hash, and the dots come from the stylesheet, so they are not copied.
    const { width } = code.getBoundingClientRect();
    expect(width).toBeLessThan(hash.length * 4);
    const dots = code.querySelector('[aria-hidden]') as Element;
    expect(getComputedStyle(dots, '::after').content).toBe('"…"');
  });

  it('copies the whole hash and confirms it, or shows it when copying is not allowed', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await renderStatus({ progress: 'finished', orders: [order] });
    const copy = screen.getByRole('button', { name: 'Copy the transaction ID' });
    act(() => copy.click());
    await waitFor(() => expect(screen.getByText('Copied').getAttribute('role')).toBe('status'));
    expect(write).toHaveBeenCalledExactlyOnceWith(hash);
    expect(screen.queryByText(hash)).toBeNull();
    write.mockRejectedValue(new Error('not allowed'));
    copy.focus();
    act(() => copy.click());
    await waitFor(() => expect(screen.getByText(hash)).toBeTruthy());
    // The hash takes the focus of the button that it replaces.
    expect(document.activeElement).toBe(screen.getByText(hash));
  });

  it('resets immediately when its reference changes, and is hidden if the tab has opened none', async () => {
    const { rerender } = await renderStatus({ progress: 'finished', orders: [order] });
    rerender(checkoutStatusPage({ reference: 'r2' }));
    expect(card().dataset.state).toBe('loading');
    expect(card().textContent).not.toContain('USDT');
    rerender(checkoutStatusPage({ reference: undefined, api: '/nothing-was-opened-here' }));
    expect(card().dataset.state).toBe('idle');
    expect(card().checkVisibility()).toBe(false);
  });

  it('renders the element of its render prop, which gets the state', async () => {
    const ref = createRef<HTMLDivElement>();
    const states: unknown[] = [];
    await renderStatus({ progress: 'finished', orders: [order] }, {
      ref,
      render: (props, { status, data }) => {
        states.push([status, data?.progress]);
        return <article {...props} />;
      },
    } as Partial<CheckoutStatusProps>);
    expect(ref.current?.tagName).toBe('ARTICLE');
    expect(within(ref.current as HTMLElement).getByText('Delivered')).toBeTruthy();
    expect(states.at(-1)).toEqual(['success', 'finished']);
  });

  it('is readable without the stylesheet: each step has its state as text', async () => {
    await renderStatus({ progress: 'unconfirmed' });
    expect(steps()).toEqual([
      'Payment Done',
      'Transfer to your wallet In progress',
      'Delivery Upcoming',
    ]);
  });

  it('uses the messages and the locale of its settings', async () => {
    await renderStatus(
      { progress: 'finished', orders: [{ ...order, currencyAmount: '1234.50' }] },
      { messages: german, locale: 'de' },
    );
    expect(card().getAttribute('aria-label')).toBe('Ihre Bestellung');
    expect(rows()[0]).toEqual(['Sie haben bezahlt', '1.234,50\u00a0USD']);
  });

  it('passes axe with all of its content', async () => {
    await renderStatus({ progress: 'finished', orders: [order, order] });
    expect(await findAxeViolations(card())).toEqual([]);
  });
});
