import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  type CheckoutEvent,
  CheckoutInProgress,
  type CheckoutResponse,
  NftCheckout,
  OnRampButton,
  RampProvider,
} from '../../../src/index.js';
import { accelerateTime } from '../../support/browser/accelerateTime.js';
import {
  continueBackend,
  elapseWidgetTime,
  renderOpenCheckout,
} from '../../support/browser/continueBackend.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import { fakePopup, untilKnown, untilNoticed } from '../../support/browser/fakePopup.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { createListed, historyBackend } from '../../support/browser/historyBackend.js';
import { gone, notice, press, refusal } from '../../support/browser/newWindowPage.js';
import {
  button,
  dialog,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof continueBackend>;
let windows: ReturnType<typeof fakePopup>[];
let events: CheckoutEvent[];
let changes: CheckoutResponse[];

beforeEach(() => {
  backend = continueBackend();
  backend.answers[backend.reference] = {};
  windows = [];
  events = [];
  changes = [];
  vi.spyOn(window, 'open').mockImplementation(() => {
    windows.push(fakePopup());
    return windows.at(-1) as never;
  });
});

// The page remembers its windows, so close those of a test, and let the page notice it.
afterEach(async () => {
  for (const each of windows) each.closed = true;
  await Promise.all(
    windows.filter(({ location }) => location.replace.mock.calls.length > 0).map(untilNoticed),
  );
});

const types = () => events.map(({ type }) => type);
const checkouts = () => backend.requests.filter((path) => path === '/checkouts').length;
const shown = () => notice()?.textContent ?? '';
/** A shop of two pages. Its button is on the first one. */
function Shop({ amount = '100' }) {
  const [page, setPage] = useState('shop');
  return (
    <RampProvider
      widgetUrl={widgetUrl}
      api="/api/ramp"
      onEvent={(event) => events.push(event)}
      onStatusChange={(change) => changes.push(change)}
    >
      <button type="button" onClick={() => setPage(page === 'shop' ? 'about' : 'shop')}>
        Go
      </button>
      {page === 'shop' && <OnRampButton display="window" amount={amount} />}
    </RampProvider>
  );
}

/** Opens the checkout in a window, leaves the page of the button, and returns to it. */
async function remountButton() {
  render(<Shop />);
  act(() => button().click());
  await waitFor(() => expect(windows[0]?.location.replace).toHaveBeenCalledOnce());
  await untilKnown(windows[0]);
  press('Go');
  press('Go');
}

describe('a window whose button was unmounted', () => {
  it('is shown by a click on the new button, which says so and follows the order', async () => {
    await remountButton();
    expect(button().dataset.state).toBe('idle');
    accelerateTime();
    act(() => button().click());
    await waitFor(() => expect(windows[0]?.focus).toHaveBeenCalledOnce());
    expect([windows.length, checkouts()]).toEqual([1, 1]);
    await waitFor(() => expect(shown()).toMatch(/^The checkout is open in another window\. Show/));
    expect(button().dataset.state).toBe('open');
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(() => expect(shown()).toContain('Delivered'));
    expect(changes.map(({ progress }) => progress)).toContain('finished');
    expect(types()).toEqual(['opened']);
  });

  it('requests no signature when the pointer rests on the new button', async () => {
    await remountButton();
    await userEvent.hover(button());
    await new Promise((done) => setTimeout(done, 300));
    expect(checkouts()).toBe(1);
  });

  it('emits closed to the new button that shows it', async () => {
    await remountButton();
    act(() => button().click());
    await waitFor(() => expect(button().dataset.state).toBe('open'));
    windows[0]?.close();
    await waitFor(() => expect(types()).toEqual(['opened', 'closed']));
    expect(button().dataset.state).toBe('idle');
  });

  it('is asked about after it was closed, if it may have been paid', async () => {
    accelerateTime();
    await remountButton();
    // After five seconds, the shopper may have paid.
    await new Promise((done) => setTimeout(done, 5000));
    windows[0]?.close();
    await untilNoticed(windows[0]);
    act(() => button().click());
    await waitFor(() => expect(shown()).toMatch(/^Have you already paid\?/));
    expect([windows.length, checkouts()]).toEqual([1, 1]);
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(() => expect(shown()).toMatch(/^You have already paid for this\./));
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
    press('Start a new checkout');
    await waitFor(() => expect(windows[1]?.location.replace).toHaveBeenCalledOnce());
    expect(checkouts()).toBe(2);
  });

  it('is not asked about after it was closed at once: nobody has paid', async () => {
    await remountButton();
    windows[0]?.close();
    await untilNoticed(windows[0]);
    act(() => button().click());
    await waitFor(() => expect(windows[1]?.location.replace).toHaveBeenCalledOnce());
  });

  it('stands in nobody else’s way: another amount is another purchase', async () => {
    const { rerender } = render(<Shop />);
    act(() => button().click());
    await waitFor(() => expect(windows[0]?.location.replace).toHaveBeenCalledOnce());
    press('Go');
    rerender(<Shop amount="200" />);
    press('Go');
    act(() => button().click());
    await waitFor(() => expect(windows[1]?.location.replace).toHaveBeenCalledOnce());
    expect(windows[0]?.focus).not.toHaveBeenCalled();
  });

  it('no longer hides CheckoutInProgress once it is closed', async () => {
    historyBackend(createListed('r1'));
    const { signer } = countingSigner();
    function Page() {
      const [isShown, setShown] = useState(true);
      return (
        <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
          {isShown && <OnRampButton display="window" signer={signer} />}
          <button type="button" onClick={() => setShown(false)}>
            Go
          </button>
          <CheckoutInProgress data-testid="note" />
        </RampProvider>
      );
    }
    render(<Page />);
    const text = () => screen.getByTestId('note').querySelector('[role="status"]')?.textContent;
    await waitFor(() => expect(text()).toMatch(/in progress/));
    act(() => button().click());
    await waitFor(() => expect(text()).toBe(''));
    press('Go');
    windows[0]?.close();
    await waitFor(() => expect(text()).toMatch(/in progress/));
  });
});

describe('a click on a second button', () => {
  it('shows the window of the first button for the same purchase', async () => {
    render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
        <OnRampButton display="window" amount="100" />
        <OnRampButton display="window" amount="100">
          Top up
        </OnRampButton>
      </RampProvider>,
    );
    act(() => button().click());
    await waitFor(() => expect(windows[0]?.location.replace).toHaveBeenCalledOnce());
    press('Top up');
    await waitFor(() => expect(windows[0]?.focus).toHaveBeenCalledOnce());
    expect([windows.length, checkouts()]).toEqual([1, 1]);
    expect(button().dataset.state).toBe('open');
  });

  it('opens the checkout of another print', async () => {
    render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
        {['print-7', 'print-8'].map((id) => (
          <NftCheckout key={id} display="window" merchantUniqueId={id} type="MINT" mintQuantity={1}>
            {id}
          </NftCheckout>
        ))}
      </RampProvider>,
    );
    press('print-7');
    await waitFor(() => expect(windows[0]?.location.replace).toHaveBeenCalledOnce());
    press('print-8');
    await waitFor(() => expect(windows[1]?.location.replace).toHaveBeenCalledOnce());
  });
});

describe('a click after a checkout that may have been paid', () => {
  /** Opens a dialog, closes it after the time in which a shopper may pay, and clicks the button again. */
  async function clickAgain() {
    const page = await renderOpenCheckout();
    elapseWidgetTime();
    press('Close the checkout');
    await gone();
    act(() => button().click());
    await waitFor(() => expect(shown()).toMatch(/^Have you already paid\?/));
    return page;
  }

  it('asks first, in the live region, and opens nothing', async () => {
    await clickAgain();
    expect(notice()?.getAttribute('role')).toBe('status');
    expect([...(notice()?.querySelectorAll('button') ?? [])].map((it) => it.textContent)).toEqual([
      'Continue',
      'Start a new checkout',
    ]);
    expect([dialog(), checkouts(), button().dataset.state]).toEqual([null, 1, 'idle']);
    expect(await findAxeViolations(document.body)).toEqual([]);
    button().focus();
    await userEvent.keyboard('{Tab}{Tab}{Enter}');
    await waitForDialog();
    expect(checkouts()).toBe(2);
  });

  it('continues the same checkout', async () => {
    await clickAgain();
    press('Continue');
    await waitForDialog();
    expect(backend.requests).toEqual(['/checkouts', `/checkouts/${backend.reference}/continue`]);
  });

  it.each([
    ['paid', 409, 'ERR_ORDER_EXISTS', 'Your payment has been received'],
    ['ended', 410, 'ERR_CHECKOUT_EXPIRED', 'This checkout has ended'],
  ])('buys again once the backend has said that it is %s', async (_, status, code, text) => {
    backend.continue = async () => refusal(status, code);
    await clickAgain();
    press('Continue');
    await waitFor(() => expect(shown()).toContain(text));
    act(() => button().click());
    await waitForDialog();
    expect(checkouts()).toBe(2);
  });

  it('asks again while the backend cannot tell', async () => {
    backend.continue = async () => refusal(500, 'ERR_INTERNAL');
    await clickAgain();
    press('Continue');
    await waitFor(() => expect(shown()).toContain('We could not check'));
    act(() => button().click());
    await waitFor(() => expect(shown()).toMatch(/^Have you already paid\?/));
    expect(checkouts()).toBe(1);
  });

  it('opens a checkout whose outcome the dialog has shown without a question', async () => {
    backend.answers[backend.reference] = { progress: 'finished' };
    accelerateTime();
    await renderOpenCheckout();
    await waitFor(() => expect(dialog()?.textContent).toContain('Delivered'));
    press('Close the checkout');
    await gone();
    act(() => button().click());
    await waitForDialog();
  });
});
