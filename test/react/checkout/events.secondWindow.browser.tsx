import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckoutResponse } from '../../../src/index.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import {
  continueBackend,
  elapseWidgetTime,
  renderOpenCheckout,
} from '../../support/browser/continueBackend.js';
import { fakePopup, untilKnown } from '../../support/browser/fakePopup.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { gone, newWindow, notice, press, refusal } from '../../support/browser/newWindowPage.js';
import { button } from '../../support/browser/onRampButtonPage.js';
import { openLink } from '../../support/browser/openLink.js';

let backend: ReturnType<typeof continueBackend>;
beforeEach(() => {
  backend = continueBackend();
  backend.answers[backend.reference] = {};
});

/**
 * Opens a checkout and moves it to a second window.
 *
 * @param mayBePaid - Whether the first widget was open long enough to pay. If so, the page asks whether the shopper has
 * paid, and this function answers no.
 */
async function openSecondWindow({ mayBePaid = true } = {}) {
  const page = await renderOpenCheckout();
  if (mayBePaid) elapseWidgetTime();
  // Before the second window opens, because its timers begin then.
  accelerateTime();
  newWindow();
  if (mayBePaid) press('No, continue in a new window');
  await gone();
  await waitFor(() => expect(button().dataset.state).toBe('open'));
  return page;
}

/** Makes the backend report an order of the first checkout, with this progress. */
const list = (progress: CheckoutResponse['progress']) => {
  backend.answers[backend.reference] = { progress };
};

describe('an order of the first widget while a second window is open', () => {
  it.each(['unconfirmed', 'finished', 'review'] as const)(
    'shows that the payment was received, and leaves the window open: %s',
    async (progress) => {
      const { windows, events } = await openSecondWindow();
      list(progress);
      await waitFor(() =>
        expect(notice()?.textContent).toContain(
          "Your payment has been received. Don't pay again. Close the other checkout window.",
        ),
      );
      expect(notice()?.getAttribute('role')).toBe('status');
      await waitFor(() => expect(notice()?.querySelector('strong')).not.toBeNull());
      expect(notice()?.textContent).toContain("Don't pay again.");
      expect(windows[0]?.close).not.toHaveBeenCalled();
      expect(button().dataset.state).toBe('open');
      expect(events.at(-1)).toMatchObject({ type: 'opened', display: 'window' });
      expect(await findAxeViolations(document.body)).toEqual([]);
    },
  );

  it('no longer asks to close the window once the shopper has closed it', async () => {
    const { windows } = await openSecondWindow();
    await untilKnown(windows[0]);
    list('finished');
    await waitFor(() =>
      expect(notice()?.textContent).toContain('Close the other checkout window.'),
    );
    await waitFor(() => expect(notice()?.textContent).toContain('Delivered'));
    expect(notice()?.textContent).toContain('Close the other checkout window.');
    expect(button().dataset.state).toBe('open');
    (windows[0] as { closed: boolean }).closed = true;
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    await waitFor(() => expect(notice()?.textContent).toContain('Delivered'));
    expect(notice()?.textContent).not.toContain('Close the other');
  });

  it('shows an error, and continues the same checkout, if the second window fails', async () => {
    await renderOpenCheckout();
    const broken = fakePopup();
    broken.location.replace.mockImplementation(() => {
      throw new DOMException('Not allowed here.', 'SecurityError');
    });
    vi.mocked(window.open).mockReturnValue(broken as never);
    newWindow();
    await waitFor(() => expect(button().dataset.state).toBe('error'));
    const works = fakePopup();
    vi.mocked(window.open).mockReturnValue(works as never);
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    await waitFor(() => expect(works.location.replace).toHaveBeenCalledOnce());
    const url = new URL(works.location.replace.mock.calls[0]?.[0] ?? '');
    expect(url.searchParams.get('ext')).toBe(backend.reference);
  });

  it('shows it too when an opener policy hides the window', async () => {
    const { windows } = await openSecondWindow();
    (windows[0] as { closed: boolean }).closed = true;
    await waitFor(() => expect(notice()?.textContent).toContain('unless you have closed it'));
    list('finished');
    await waitFor(() =>
      expect(notice()?.textContent).toContain('Close the other checkout window.'),
    );
  });

  it('removes the link of a blocked window, and follows a link that was used', async () => {
    await renderOpenCheckout();
    vi.mocked(window.open).mockReturnValue(null);
    elapseWidgetTime();
    newWindow();
    press('No, continue in a new window');
    const link = await screen.findByRole('link');
    await openLink(link);
    await waitFor(() => expect(notice()?.textContent).toContain('unless you have closed it'));
    accelerateTime();
    list('finished');
    await waitFor(() =>
      expect(notice()?.textContent).toContain('Close the other checkout window.'),
    );
  });

  it('removes the link of a blocked window that was not used', async () => {
    await renderOpenCheckout();
    vi.mocked(window.open).mockReturnValue(null);
    elapseWidgetTime();
    newWindow();
    press('No, continue in a new window');
    await screen.findByRole('link');
    accelerateTime();
    list('finished');
    await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
    expect(notice()?.textContent).toContain("Don't pay again.");
    expect(notice()?.textContent).not.toContain('Close the other');
  });

  it('warns beside the window of a new checkout too', async () => {
    backend.continue = async () => refusal(410, 'ERR_CHECKOUT_EXPIRED');
    const { windows } = await renderOpenCheckout();
    const first = backend.reference;
    elapseWidgetTime();
    newWindow();
    press('No, continue in a new window');
    const startNew = await screen.findByRole('button', { name: 'Start a new checkout' });
    backend.startAnother('second');
    act(() => startNew.click());
    await waitFor(() => expect(windows[1]?.location.replace).toHaveBeenCalled());
    accelerateTime();
    backend.answers[first] = { progress: 'finished' };
    await waitFor(() => expect(notice()?.textContent).toContain("Don't pay again."));
    expect(windows[1]?.closed).toBe(false);
    await waitFor(() => expect(notice()?.textContent).toContain('Delivered'));
  });

  it('keeps the window while the checkout waits, has expired, or cannot be read', async () => {
    const { windows } = await openSecondWindow();
    list('expired');
    await elapse(12_000);
    delete backend.answers[backend.reference];
    await elapse(12_000);
    expect([windows[0]?.closed, button().dataset.state]).toEqual([false, 'open']);
    expect(notice()?.textContent).toMatch(/^The checkout is open in another window/);
  });

  it('ends when the shopper closes the window, and follows a used widget in the notice', async () => {
    const { windows } = await openSecondWindow();
    await untilKnown(windows[0]);
    windows[0]?.close();
    await waitFor(() => expect(notice()?.textContent).toContain('If you have paid'));
    list('finished');
    await waitFor(() => expect(notice()?.textContent).toMatch(/Delivered/));
    expect(notice()?.textContent).not.toContain('Close the other');
  });

  it('shows the order of a second window whose first widget was not used', async () => {
    const { windows } = await openSecondWindow({ mayBePaid: false });
    list('finished');
    await waitFor(() => expect(notice()?.textContent).toContain('Delivered'));
    expect(windows[0]?.closed).toBe(false);
  });

  it('keeps the window when the button unmounts', async () => {
    const { windows, unmount } = await openSecondWindow();
    unmount();
    list('finished');
    await elapse(12_000);
    expect(windows[0]?.closed).toBe(false);
  });

  it('never calls a checkout expired whose payment a webhook announced', async () => {
    backend.continue = async () => refusal(409, 'ERR_ORDER_EXISTS');
    list('expired');
    await renderOpenCheckout();
    elapseWidgetTime();
    newWindow();
    press('No, continue in a new window');
    await gone();
    accelerateTime();
    await elapse(8000);
    expect(notice()?.textContent).toBe("Your payment has been received. Don't pay again.");
  });
});

/** Waits for `ms` milliseconds of the accelerated clock. */
const elapse = (ms: number) => new Promise((done) => setTimeout(done, ms));
