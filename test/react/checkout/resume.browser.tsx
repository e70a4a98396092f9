import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type CheckoutResponse,
  CheckoutStatus,
  type OnRampButtonProps,
} from '../../../src/index.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import { continueBackend, renderOpenCheckout } from '../../support/browser/continueBackend.js';
import { fakePopup, untilKnown } from '../../support/browser/fakePopup.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { gone, notice, press, refusal } from '../../support/browser/newWindowPage.js';
import {
  button,
  dialog,
  renderButton,
  waitForDialog,
} from '../../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof continueBackend>;
const list = (state: Partial<CheckoutResponse>) => {
  backend.answers[backend.reference] = state;
};
beforeEach(() => {
  backend = continueBackend();
  list({});
});

/** Waits for `ms` milliseconds of the accelerated clock. */
const elapse = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function openWindow(props: Partial<OnRampButtonProps> = {}) {
  const windows: ReturnType<typeof fakePopup>[] = [];
  vi.spyOn(window, 'open').mockImplementation(() => {
    windows.push(fakePopup());
    return windows.at(-1) as never;
  });
  const events: string[] = [];
  const shown = renderButton({
    display: 'window',
    api: '/api/ramp',
    onEvent: ({ type, reference }) => events.push(`${type} ${reference}`),
    ...props,
  });
  act(() => button().click());
  await waitFor(() => expect(button().dataset.state).toBe('open'));
  return { windows, events, ...shown };
}

describe('the notice about a checkout in another window', () => {
  it('shows the window again, without a backend too', async () => {
    const { windows, unmount } = await openWindow();
    expect(notice()?.textContent).toBe(
      'The checkout is open in another window. Show the checkout window',
    );
    press('Show the checkout window');
    expect(windows[0]?.focus).toHaveBeenCalledOnce();
    expect(await findAxeViolations(document.body)).toEqual([]);
    unmount();
    renderButton({ display: 'window' });
    act(() => button().click());
    await waitFor(() => expect(notice()?.textContent).toMatch(/^The checkout is open/));
  });

  it('scrolls into view, because the button may be at the edge of the page', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    await openWindow();
    await waitFor(() => expect(scroll.mock.contexts).toEqual([notice()]));
    expect(scroll.mock.calls[0]?.[0]).toMatchObject({ block: 'nearest' });
  });

  it('turns with the outcome, and leaves the window open', async () => {
    accelerateTime();
    const { windows } = await openWindow();
    list({ progress: 'unconfirmed' });
    await waitFor(() => expect(notice()?.textContent).toMatch(/^Your order is being confirmed/));
    list({ progress: 'finished' });
    await waitFor(() => expect(notice()?.textContent).toMatch(/^Delivered/));
    press('Show the checkout window');
    expect(windows[0]?.focus).toHaveBeenCalledOnce();
    expect(windows[0]?.close).not.toHaveBeenCalled();
    expect(button().dataset.state).toBe('open');
    await untilKnown(windows[0]);
    (windows[0] as { closed: boolean }).closed = true;
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    expect(notice()?.textContent).toMatch(/^Delivered/);
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  });

  it('does not repeat the outcome that a card of the page shows, and scrolls on to the card', async () => {
    accelerateTime();
    await openWindow();
    render(<CheckoutStatus api="/api/ramp" reference={backend.reference} />);
    await screen.findByText('Waiting for your payment');
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    list({ progress: 'finished' });
    await screen.findByText('Your purchase has arrived in your wallet.', {
      selector: '.ramp-status *',
    });
    await waitFor(() => expect(notice()?.textContent).toMatch(/^The checkout is open/));
    await waitFor(() =>
      expect(scroll.mock.contexts.at(-1)).toBe(document.querySelector('.ramp-status')),
    );
  });
});

describe('"Continue" after a checkout was closed', () => {
  /** Opens a window, and closes it after more than five seconds. By then, the shopper may have paid. */
  async function closeWindow(props: Partial<OnRampButtonProps> = {}) {
    accelerateTime();
    const page = await openWindow(props);
    await untilKnown(page.windows[0]);
    await elapse(5100);
    (page.windows[0] as { closed: boolean }).closed = true;
    await screen.findByRole('button', { name: 'Continue' });
    return page;
  }

  it('opens the same checkout in a window that was opened inside the click', async () => {
    const { windows, events } = await closeWindow();
    const { reference } = backend;
    expect(notice()?.textContent).toContain('If you have paid');
    act(() => {
      screen.getByRole('button', { name: 'Continue' }).click();
      expect(windows).toHaveLength(2);
    });
    expect(document.activeElement).toBe(button());
    await waitFor(() => expect(windows[1]?.location.replace).toHaveBeenCalledOnce());
    expect(backend.requests).toEqual(['/checkouts', `/checkouts/${reference}/continue`]);
    expect(events).toEqual([`opened ${reference}`, `closed ${reference}`, `opened ${reference}`]);
    await waitFor(() => expect(notice()?.textContent).toMatch(/^The checkout is open/));
  });

  it('opens a dialog again in which the shopper left off', async () => {
    accelerateTime();
    await renderOpenCheckout();
    await elapse(5100);
    press('Close the checkout');
    await gone();
    press('Continue');
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    expect(notice()?.textContent).toBe('');
    // The order of the first widget appears in the bar of the second widget.
    list({ progress: 'finished' });
    await waitFor(() =>
      expect(document.querySelector('.ramp-bar-outcome')?.textContent).toBe('Delivered'),
    );
  });

  it('shows the order instead if the checkout is paid', async () => {
    const { windows } = await closeWindow();
    backend.continue = async () => refusal(409, 'ERR_ORDER_EXISTS');
    press('Continue');
    await waitFor(() => expect(notice()?.textContent).toContain('Your payment has been received.'));
    expect([windows[1]?.closed, button().dataset.state]).toEqual([true, 'idle']);
    list({ progress: 'finished' });
    await waitFor(() => expect(notice()?.textContent).toMatch(/^Delivered/));
  });

  it('says that the checkout has ended, and the button starts a new one', async () => {
    const { windows } = await closeWindow();
    backend.continue = async () => refusal(410, 'ERR_CHECKOUT_EXPIRED');
    press('Continue');
    await waitFor(() => expect(notice()?.textContent).toMatch(/^This checkout has ended/));
    expect(windows[1]?.closed).toBe(true);
    expect(screen.getAllByRole('button')).toEqual([button()]);
    act(() => button().click());
    await waitFor(() => expect(backend.requests.at(-1)).toBe('/checkouts'));
  });

  it('opens nothing if the backend cannot tell whether it is paid, and can be repeated', async () => {
    const { windows, events } = await closeWindow();
    const works = backend.continue;
    backend.continue = async () => refusal(500, 'ERR_SIGNER');
    press('Continue');
    await waitFor(() => expect(notice()?.textContent).toContain('could not check'));
    expect(notice()?.textContent).toContain("don't pay again");
    expect(windows[1]?.closed).toBe(true);
    expect(events.at(-1)).toBe(`failed ${backend.reference}`);
    backend.continue = works;
    press('Continue');
    await waitFor(() => expect(windows[2]?.location.replace).toHaveBeenCalledOnce());
  });

  it('reports ERR_SIGNER when the headers function throws', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const cause = new Error('no token');
    let isExpired = false;
    const headers = async () => {
      if (isExpired) throw cause;
      return {};
    };
    const onError = vi.fn();
    const { windows } = await closeWindow({ headers, onError });
    isExpired = true;
    press('Continue');
    await waitFor(() => expect(notice()?.textContent).toContain('could not check'));
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ name: 'RampError', code: 'ERR_SIGNER', cause })],
    ]);
    expect(windows[1]?.closed).toBe(true);
  });

  it('reports ERR_WIDGET_LOAD when the browser cannot show the dialog', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    accelerateTime();
    const onError = vi.fn();
    await renderOpenCheckout({ onError });
    await elapse(5100);
    press('Close the checkout');
    await gone();
    const cause = new TypeError('The browser failed.');
    vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(() => {
      throw cause;
    });
    press('Continue');
    await waitFor(() => expect(onError).toHaveBeenCalled());
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ name: 'RampError', code: 'ERR_WIDGET_LOAD', cause })],
    ]);
    await waitFor(() => expect([dialog(), button().dataset.state]).toEqual([null, 'idle']));
  });

  it('is not offered for a checkout that has an order, or beside its card', async () => {
    await closeWindow();
    const card = render(<CheckoutStatus api="/api/ramp" reference={backend.reference} />);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull());
    card.unmount();
    await screen.findByRole('button', { name: 'Continue' });
    list({ progress: 'finished' });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull());
  });
});
