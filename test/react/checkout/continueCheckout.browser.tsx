import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import {
  continueBackend,
  elapseWidgetTime,
  renderOpenCheckout,
} from '../../support/browser/continueBackend.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { gone, newWindow, notice, press, refusal } from '../../support/browser/newWindowPage.js';
import { dialog } from '../../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof continueBackend>;
beforeEach(() => {
  backend = continueBackend();
  backend.answers[backend.reference] = {};
});

const sheet = () => screen.getByRole('alertdialog');
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
const continuations = () => backend.requests.filter((path) => path.endsWith('/continue'));

/** Creates the response of a backend that could not read the order list. */
const unchecked = (retryAfter?: string, status = 503) =>
  Response.json(
    { error: { code: 'ERR_API_RESPONSE', message: 'The order list could not be read.' } },
    { status, headers: retryAfter ? { 'Retry-After': retryAfter } : {} },
  );

/**
 * Opens a checkout, keeps its widget open long enough to pay, and asks for a new window. The returned `move` answers
 * "No" to the question whether the shopper has paid.
 */
async function moveUsedCheckout() {
  const page = await renderOpenCheckout();
  elapseWidgetTime();
  newWindow();
  vi.mocked(performance.now).mockRestore();
  return { ...page, move: () => press('No, continue in a new window') };
}

describe('continueCheckout while the backend does not know whether the checkout is paid', () => {
  it('keeps the blank window with a text, requests again after Retry-After, and opens then', async () => {
    const works = backend.continue;
    backend.continue = async () => unchecked('1');
    const { windows, move } = await moveUsedCheckout();
    move();
    const status = await waitFor(() => {
      const found = screen.getByText('Checking for your payment…');
      expect(found.getAttribute('role')).toBe('status');
      return found;
    });
    expect(sheet().contains(status)).toBe(true);
    expect([windows[0]?.closed, windows[0]?.document.title]).toEqual([
      false,
      'Checking for your payment…',
    ]);
    expect(windows[0]?.document.body.textContent).toBe('Checking for your payment…');
    expect(windows[0]?.document.body.getAttribute('aria-live')).toBe('polite');
    expect(document.activeElement).toBe(sheet());
    expect(await findAxeViolations(document.body)).toEqual([]);
    expect(continuations()).toHaveLength(1);
    backend.continue = works;
    await gone();
    expect(continuations()).toHaveLength(2);
    expect(windows).toHaveLength(1);
    expect(windows[0]?.location.replace).toHaveBeenCalledOnce();
  });

  it('shows the order when a further request finds it', async () => {
    backend.continue = async () => unchecked('1');
    const { windows, move } = await moveUsedCheckout();
    move();
    await screen.findByText('Checking for your payment…');
    backend.continue = async () => refusal(409, 'ERR_ORDER_EXISTS');
    await gone();
    expect([windows.length, windows[0]?.closed]).toEqual([1, true]);
    expect(windows[0]?.location.replace).not.toHaveBeenCalled();
    expect(notice()?.textContent).toMatch(/^Your payment has been received/);
  });

  it.each([
    ['with Retry-After: 1', () => unchecked('1'), 10],
    ['with Retry-After: 4', () => unchecked('4'), 3],
    ['from another origin, without the header', () => unchecked(), 5],
    ['with a date', () => unchecked('Wed, 21 Oct 2026 07:28:00 GMT'), 5],
    ['with Retry-After: 60', () => unchecked('60'), 1],
    ['of a rate limit', () => unchecked('3', 429), 4],
  ])('stops within 10 seconds, and never offers a new checkout: %s', async (_, reply, requests) => {
    const times: number[] = [];
    const { windows, move } = await moveUsedCheckout();
    accelerateTime();
    const startedAt = performance.now();
    backend.continue = async () => {
      times.push(performance.now() - startedAt);
      return reply();
    };
    move();
    await screen.findByRole('alertdialog', { name: 'We could not check whether you have paid.' });
    for (const time of times) expect(time).toBeLessThan(10_000);
    // The last request may be missing, because timers of the accelerated clock can be late.
    expect(continuations().length).toBeLessThanOrEqual(requests);
    expect(continuations().length).toBeGreaterThan(requests > 1 ? 1 : 0);
    expect(sheet().textContent).toContain("don't pay again");
    expect(buttons().slice(-2)).toEqual(['Try again', 'Keep it open']);
    expect(buttons()).not.toContain('Start a new checkout');
    expect([windows.length, windows[0]?.closed, dialog()?.open]).toEqual([1, true, true]);
    expect(document.activeElement).toBe(sheet());
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('opens another blank window in the click on "Try again", and continues', async () => {
    const works = backend.continue;
    backend.continue = async () => unchecked('60');
    const { windows, move, events } = await moveUsedCheckout();
    move();
    await screen.findByRole('alertdialog', { name: /could not check/ });
    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      reference: backend.reference,
      error: { code: 'ERR_API_RESPONSE' },
    });
    backend.continue = works;
    const retry = screen.getByRole('button', { name: 'Try again' });
    act(() => {
      retry.click();
      expect(windows).toHaveLength(2);
    });
    await gone();
    expect(windows[1]?.location.replace).toHaveBeenCalledOnce();
    expect(new Set(backend.requests)).toEqual(
      new Set(['/checkouts', `/checkouts/${backend.reference}/continue`]),
    );
  });

  it.each(['{Escape}', 'Keep it open'])('keeps the widget with %s', async (way) => {
    backend.continue = async () => unchecked('60');
    const { move } = await moveUsedCheckout();
    move();
    await screen.findByRole('alertdialog', { name: /could not check/ });
    if (way === '{Escape}') await userEvent.keyboard(way);
    else await userEvent.click(screen.getByRole('button', { name: way }));
    expect([screen.queryByRole('alertdialog'), dialog()?.open]).toEqual([null, true]);
    expect(document.querySelector('iframe')?.inert).toBe(false);
    // Another click on "Open in a new window" shows the first question again.
    elapseWidgetTime();
    newWindow();
    expect(sheet().textContent).toContain('Have you already paid?');
  });

  it.each([
    ['the shopper dismisses it', () => userEvent.keyboard('{Escape}')],
    ['the dialog is closed', () => press('Close the checkout')],
  ])('closes the window and requests no more when %s', async (_, dismiss) => {
    backend.continue = async () => unchecked('1');
    const { windows, move } = await moveUsedCheckout();
    move();
    await screen.findByText('Checking for your payment…');
    await dismiss();
    await waitFor(() => expect(windows[0]?.closed).toBe(true));
    await new Promise((done) => setTimeout(done, 1500));
    expect(continuations()).toHaveLength(1);
  });

  it('keeps the widget when the shopper closes the blank window meanwhile', async () => {
    backend.continue = async () => unchecked('1');
    const { windows, move } = await moveUsedCheckout();
    move();
    await screen.findByText('Checking for your payment…');
    windows[0]?.close();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(dialog()?.open).toBe(true);
    expect(windows[0]?.location.replace).not.toHaveBeenCalled();
  });

  it('ends a further request that hangs after 10 seconds in all', async () => {
    let count = 0;
    let isAborted = false;
    backend.continue = () =>
      ++count === 1
        ? Promise.resolve(unchecked('1'))
        : new Promise((_, fail) =>
            backend.init?.signal?.addEventListener('abort', () => {
              isAborted = true;
              fail(new DOMException('aborted', 'AbortError'));
            }),
          );
    const { move } = await moveUsedCheckout();
    accelerateTime();
    move();
    await screen.findByRole('alertdialog', { name: /could not check/ });
    expect([count, isAborted]).toEqual([2, true]);
    expect(sheet().textContent).toContain("don't pay again");
  });
});
