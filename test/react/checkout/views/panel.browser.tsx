import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type CheckoutResponse, CheckoutStatus } from '../../../../src/index.js';
import * as fr from '../../../../src/messages/fr.js';
import { accelerateTime } from '../../../support/browser/accelerateTime.js';
import { continueBackend, renderOpenCheckout } from '../../../support/browser/continueBackend.js';
import { fakePopup } from '../../../support/browser/fakePopup.js';
import { findAxeViolations } from '../../../support/browser/findAxeViolations.js';
import { gone, notice, press } from '../../../support/browser/newWindowPage.js';
import {
  button,
  dialog,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../../support/browser/onRampButtonPage.js';

const bar = () => document.querySelector<HTMLElement>('.ramp-bar');
const outcome = () => bar()?.querySelector('[role="status"]');
const foot = () => document.querySelector<HTMLElement>('.ramp-frame-foot');
const names = (within: Element | null | undefined) =>
  [...(within?.querySelectorAll('button') ?? [])]
    .filter((each) => each.checkVisibility())
    .map((each) => each.ariaLabel ?? each.textContent);

/** Keeps the frames from reporting a `load` event, as if the service never responded. */
const preventLoad = () =>
  vi.spyOn(HTMLIFrameElement.prototype, 'addEventListener').mockReturnValue();

/** Dispatches the event that a browser emits if the page's Content-Security-Policy refuses the frame. */
const refuseFrame = () =>
  act(() => {
    document.dispatchEvent(
      new SecurityPolicyViolationEvent('securitypolicyviolation', {
        effectiveDirective: 'frame-src',
        disposition: 'enforce',
        blockedURI: widgetUrl,
        documentURI: location.href,
        violatedDirective: 'frame-src',
        originalPolicy: '',
        statusCode: 200,
      }),
    );
  });

let backend: ReturnType<typeof continueBackend>;
const list = (state: Partial<CheckoutResponse>) => {
  backend.answers[backend.reference] = state;
};
beforeEach(() => {
  backend = continueBackend();
  list({});
});

describe('the bar of a checkout with an order', () => {
  it.each([
    [{ progress: 'unconfirmed' }, 'Payment received'],
    [{ progress: 'finished' }, 'Delivered'],
    [{ progress: 'finished', widget: 'nft' }, 'Payment received'],
    [{ progress: 'settled', widget: 'nft' }, 'Payment received'],
    [{ progress: 'review' }, 'Under review'],
  ] as const)('with %o announces "%s" and offers the way back', async (state, text) => {
    accelerateTime();
    await renderOpenCheckout();
    expect(outcome()?.textContent).toBe('');
    list(state);
    await waitFor(() => expect(outcome()?.textContent).toBe(text));
    expect(outcome()?.getAttribute('aria-live')).toBe('polite');
    expect(names(bar())).toEqual(['Back to the shop', 'Close the checkout']);
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('keeps the whole bar visible and clickable at 400 % zoom', async () => {
    const { innerWidth, innerHeight } = window;
    await page.viewport(320, 256);
    accelerateTime();
    await renderOpenCheckout({ messages: { ...fr.messages, buy: 'Buy crypto' } });
    list({ progress: 'review' });
    await waitFor(() => expect(outcome()?.textContent).toBe(fr.messages.outcomeReview));
    for (const part of document.querySelectorAll('.ramp-bar > *')) {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      expect([left >= 0, right <= 320, top >= 0, bottom <= 128]).toEqual([true, true, true, true]);
      expect(part.scrollWidth).toBeLessThanOrEqual(part.clientWidth);
    }
    await page.viewport(innerWidth, innerHeight);
  });

  it('follows later states, and stays on the last one', async () => {
    accelerateTime();
    await renderOpenCheckout();
    list({ progress: 'unconfirmed' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Payment received'));
    list({ progress: 'finished' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Delivered'));
  });

  it('closes the dialog and shows the order beside the button, without a second announcement', async () => {
    accelerateTime();
    const { events } = await renderOpenCheckout();
    list({ progress: 'finished' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Delivered'));
    press('Back to the shop');
    await gone();
    expect(document.activeElement).toBe(button());
    expect(events.at(-1)).toMatchObject({ type: 'closed', display: 'modal' });
    expect(notice()?.getAttribute('aria-live')).toBe('off');
    await waitFor(() => expect(notice()?.textContent).toMatch(/^Delivered/));
  });

  it('closes an inline widget, and returns the focus to the button', async () => {
    accelerateTime();
    renderButton({ display: 'inline', api: '/api/ramp' });
    act(() => button().click());
    const region = await screen.findByRole('region', { name: 'Checkout' });
    list({ progress: 'finished' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Delivered'));
    // Remove the focus, because in Safari a click does not focus the button.
    act(() => (document.activeElement as HTMLElement).blur());
    press('Back to the shop');
    expect(region.isConnected).toBe(false);
    expect(document.activeElement).toBe(button());
  });

  it('leaves the announcement to a status card beside an inline widget', async () => {
    accelerateTime();
    renderButton({ display: 'inline', api: '/api/ramp' });
    render(<CheckoutStatus api="/api/ramp" reference={backend.reference} />);
    act(() => button().click());
    await screen.findByRole('region', { name: 'Checkout' });
    // A card announces nothing before its content has loaded.
    await waitFor(() => expect(document.querySelector('.ramp-status-title')).not.toBeNull());
    list({ progress: 'finished' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Delivered'));
    expect(outcome()?.getAttribute('aria-live')).toBe('off');
  });

  it('keeps the widget, and moves no focus but that of the button it replaces', async () => {
    accelerateTime();
    await renderOpenCheckout();
    const frame = screen.getByTitle<HTMLIFrameElement>('Checkout');
    screen.getByRole('button', { name: 'Open in a new window' }).focus();
    list({ progress: 'finished' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Delivered'));
    expect(frame.isConnected).toBe(true);
    expect(document.activeElement?.textContent).toBe('Back to the shop');
  });

  it('answers an open question whether the shopper has paid', async () => {
    accelerateTime();
    await renderOpenCheckout();
    const skipped = performance.now();
    await waitFor(() => expect(performance.now() - skipped).toBeGreaterThan(5001));
    press('Open in a new window');
    screen.getByRole('alertdialog');
    list({ progress: 'finished' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Delivered'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(dialog()?.open).toBe(true);
  });

  it('shares its polls with onStatusChange, and requests nothing in the first seconds', async () => {
    accelerateTime();
    const onStatusChange = vi.fn();
    await renderOpenCheckout({ onStatusChange });
    list({ progress: 'finished' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Delivered'));
    expect(onStatusChange.mock.lastCall?.[0]).toMatchObject({ progress: 'finished' });
    expect(backend.polls.every((references) => references.length === 1)).toBe(true);
  });

  it('requests no state of a checkout that is closed within five seconds', async () => {
    await renderOpenCheckout();
    press('Close the checkout');
    await gone();
    accelerateTime();
    await new Promise((done) => setTimeout(done, 12_000));
    expect(backend.polls).toEqual([]);
  });
});

describe('a widget that does not load', () => {
  it('gets the next steps below the text, and keeps the skeleton', async () => {
    preventLoad();
    accelerateTime();
    renderButton({ api: '/api/ramp' });
    act(() => button().click());
    await waitForDialog();
    screen.getByRole('button', { name: 'Open in a new window' }).focus();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('slow'));
    expect(foot()?.textContent).toContain('Still not loading?');
    expect(names(foot())).toEqual(['Open in a new window', 'Try again']);
    expect(names(bar())).toEqual(['Close the checkout']);
    // The close button stays at the end of the bar.
    const close = screen.getByRole('button', { name: 'Close the checkout' });
    const getRight = (element: Element | null) => element?.getBoundingClientRect().right ?? 0;
    expect(getRight(bar()) - getRight(close)).toBeLessThan(8);
    expect(foot()?.contains(document.activeElement)).toBe(true);
    expect(document.querySelector('.ramp-frame-skeleton')?.checkVisibility()).toBe(true);
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('loads again with a new signature on "Try again"', async () => {
    const load = preventLoad();
    accelerateTime();
    renderButton({ api: '/api/ramp' });
    act(() => button().click());
    await waitFor(() => expect(dialog()?.dataset.state).toBe('slow'));
    load.mockRestore();
    press('Try again');
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    const { reference } = backend;
    expect(backend.requests).toEqual(['/checkouts', `/checkouts/${reference}/continue`]);
    const frames = document.querySelectorAll('iframe');
    expect(frames).toHaveLength(1);
    expect(new URL(frames[0]?.src ?? '').searchParams.get('signature')).toBe('again');
  });

  it('asks before "Try again" whether the shopper has paid, if that is possible', async () => {
    preventLoad();
    accelerateTime();
    renderButton({ api: '/api/ramp' });
    act(() => button().click());
    await waitFor(() => expect(dialog()?.dataset.state).toBe('slow'));
    const slowAt = performance.now();
    await waitFor(() => expect(performance.now() - slowAt).toBeGreaterThan(5500));
    press('Try again');
    screen.getByRole('alertdialog', { name: 'Have you already paid?' });
    press('No, try again');
    await waitFor(() => expect(backend.requests).toHaveLength(2));
    await waitFor(() => expect(document.querySelectorAll('iframe')).toHaveLength(1));
  });

  it('has only the new window as a next step if the page refuses the frame', async () => {
    renderButton({ api: '/api/ramp' });
    act(() => button().click());
    await waitForDialog();
    refuseFrame();
    expect(dialog()?.dataset.state).toBe('refused');
    expect(names(foot())).toEqual(['Open in a new window']);
    const open = vi.spyOn(window, 'open').mockImplementation(() => fakePopup() as never);
    await userEvent.click(screen.getByRole('button', { name: 'Open in a new window' }));
    await gone();
    expect(open).toHaveBeenCalledOnce();
  });
});

describe('a widget that has loaded', () => {
  const hint = () => screen.queryByRole('button', { name: /^Nothing here\?/ });

  it('gets one line below it after 8 seconds without use, which opens a new window', async () => {
    accelerateTime();
    await renderOpenCheckout();
    expect(hint()).toBeNull();
    await waitFor(() => expect(hint()).not.toBeNull());
    expect(dialog()?.dataset.state).toBe('ready');
    expect(names(bar())).toEqual(['Open in a new window', 'Close the checkout']);
    expect(await findAxeViolations(document.body)).toEqual([]);
    list({ progress: 'finished' });
    await waitFor(() => expect(outcome()?.textContent).toBe('Delivered'));
    expect(hint()).toBeNull();
  });

  it('loses the line once the shopper uses the widget', async () => {
    accelerateTime();
    await renderOpenCheckout();
    await waitFor(() => expect(hint()).not.toBeNull());
    act(() => document.querySelector('iframe')?.focus());
    act(() => void window.dispatchEvent(new Event('blur')));
    expect(hint()).toBeNull();
    expect(names(dialog())).toEqual(['Open in a new window', 'Close the checkout']);
  });

  it('is announced after its message, in a region that was there before, and shows no text', async () => {
    accelerateTime();
    // The frame may load before the test reads the dialog, so the test writes down every text with its region.
    const announcements = new Set<string>();
    const regions = new Set<Element>();
    const observer = new MutationObserver(() => {
      const status = foot()?.querySelector('[role="status"]');
      if (!status) return;
      regions.add(status);
      announcements.add(status.textContent);
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    renderButton({ api: '/api/ramp' });
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    const region = foot()?.querySelector('[role="status"]');
    expect(region?.textContent).toBe('');
    const source = document.querySelector('iframe')?.contentWindow ?? null;
    act(() => void window.dispatchEvent(new MessageEvent('message', { source })));
    await waitFor(() =>
      expect([...announcements]).toEqual(['Loading the checkout…', '', 'The checkout is ready.']),
    );
    expect(regions).toEqual(new Set([region]));
    observer.disconnect();
    expect(region?.checkVisibility()).toBe(true);
    expect(foot()?.getBoundingClientRect().height).toBeLessThanOrEqual(1);
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('loses the line once it sends the page a message', async () => {
    accelerateTime();
    await renderOpenCheckout();
    await waitFor(() => expect(hint()).not.toBeNull());
    const source = document.querySelector('iframe')?.contentWindow ?? null;
    act(() => void window.dispatchEvent(new MessageEvent('message', { source })));
    expect(hint()).toBeNull();
  });

  it('gets none if the shopper has used the widget', async () => {
    accelerateTime();
    await renderOpenCheckout();
    act(() => document.querySelector('iframe')?.focus());
    await new Promise((done) => setTimeout(done, 12_000));
    expect(hint()).toBeNull();
  });
});
