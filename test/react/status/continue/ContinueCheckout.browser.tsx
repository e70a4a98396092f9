import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { addOpenWidget } from '../../../../src/client/pageCheckouts.js';
import {
  CheckoutStatus,
  type CheckoutStatusProps,
  OnRampButton,
  RampProvider,
  type RampProviderProps,
} from '../../../../src/index.js';
import { card, expectState, order } from '../../../support/browser/checkoutStatusPage.js';
import { continueBackend } from '../../../support/browser/continueBackend.js';
import { fakePopup } from '../../../support/browser/fakePopup.js';
import { findAxeViolations } from '../../../support/browser/findAxeViolations.js';
import { refusal } from '../../../support/browser/newWindowPage.js';
import {
  dialog,
  frameParams,
  waitForDialog,
  widgetUrl,
} from '../../../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof continueBackend>;
beforeEach(() => {
  backend = continueBackend();
  backend.answers[backend.reference] = {};
});
afterEach(cleanup);

const button = () => screen.queryByRole('button', { name: 'Continue checkout' });
const findButton = async () => {
  const found = await screen.findByRole('button', { name: 'Continue checkout' });
  // Wait for the effects of StrictMode, which mount the button twice.
  await act(async () => {});
  return found;
};
const title = () => card().querySelector('.ramp-status-title')?.textContent;
const note = () =>
  card().querySelector('.ramp-continue :is([role="status"], [role="alert"])')?.textContent;
const click = async () => {
  const found = await findButton();
  act(() => found.click());
};
const close = () => act(() => dialog()?.close());

function renderCard(props: Partial<CheckoutStatusProps> = {}, given: RampProviderProps = {}) {
  return render(
    <StrictMode>
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp" {...given}>
        <CheckoutStatus reference={backend.reference} {...props} />
      </RampProvider>
    </StrictMode>,
  );
}

describe('"Continue checkout" of <CheckoutStatus />', () => {
  it('opens the widget of the same checkout with a new signature', async () => {
    const events: string[] = [];
    renderCard({}, { onEvent: ({ type, reference }) => events.push(`${type} ${reference}`) });
    await findButton();
    expect(title()).toBe('Not paid yet');
    expect(card().textContent).toContain(
      "Continue where you left off. If you've paid, this updates by itself.",
    );
    expect(await findAxeViolations(card())).toEqual([]);
    await click();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ signature: 'again' });
    await waitFor(() => expect(title()).toBe('Waiting for your payment'));
    expect(backend.requests).toEqual([`/checkouts/${backend.reference}/continue`]);
    close();
    await waitFor(() => expect(title()).toBe('Not paid yet'));
    await waitFor(() => expect(document.activeElement).toBe(button()));
    expect(events).toContain(`opened ${backend.reference}`);
    await click();
    await waitForDialog();
    expect(backend.requests).toHaveLength(2);
  });

  it('keeps the choices that the tab opened the checkout with, but never a signed parameter', async () => {
    const open = render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
        <OnRampButton amount="120" defaultFiatCurrency="EUR" email="a@b.example" />
      </RampProvider>,
    );
    act(() => screen.getByRole('button', { name: 'Buy crypto' }).click());
    await waitForDialog();
    expect(frameParams()).toMatchObject({ amount: '120', email: 'a@b.example' });
    close();
    open.unmount();
    // Render a new card, as on another page of the shop.
    renderCard();
    await click();
    await waitForDialog();
    expect(frameParams()).toMatchObject({
      amount: '120',
      defaultFiatCurrency: 'EUR',
      signature: 'again',
    });
    // Free text may be personal, so it is not kept.
    expect(frameParams()).not.toHaveProperty('email');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('a@b.example');
  });

  it('opens the selection that the backend stored if another tab or device opened the checkout', async () => {
    const selection = { defaultCurrency: 'BTC', cryptoNetwork: 'bitcoin_mainnet', amount: '120' };
    backend.selection = { ...selection, walletAddress: '0xother', defaultFiatCurrency: 'euro' };
    renderCard();
    await click();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ ...selection, signature: 'again' });
    expect(frameParams().walletAddress).not.toBe('0xother');
    expect(frameParams()).not.toHaveProperty('defaultFiatCurrency');
  });

  it('prefers the choices of the tab to the selection of the backend', async () => {
    const kept = [[backend.reference, { amount: '7' }]];
    sessionStorage.setItem('partner-ramp:choices:/api/ramp', JSON.stringify(kept));
    backend.selection = { amount: '120', defaultCurrency: 'BTC' };
    renderCard();
    await click();
    await waitForDialog();
    expect(frameParams().amount).toBe('7');
    expect(frameParams()).not.toHaveProperty('defaultCurrency');
  });

  it('drops kept choices that are unknown, signed, malformed, or of another checkout', async () => {
    const choices = {
      amount: '12e9',
      defaultFiatCurrency: 'EUR',
      walletAddress: '0xother',
      signature: 'other',
      constructor: 'x',
      cryptoNetwork: 7,
    };
    sessionStorage.setItem(
      'partner-ramp:choices:/api/ramp',
      JSON.stringify([null, ['other', { amount: '1' }], [backend.reference, choices]]),
    );
    renderCard();
    await click();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ defaultFiatCurrency: 'EUR', signature: 'again' });
    expect(frameParams()).not.toHaveProperty('amount');
    expect(frameParams()).not.toHaveProperty('constructor');
    expect(frameParams()).not.toHaveProperty('cryptoNetwork');
    expect(frameParams().walletAddress).not.toBe('0xother');
  });

  it.each(['{', '7', '[["r",7],[]]'])('ignores stored choices such as %j', async (stored) => {
    sessionStorage.setItem('partner-ramp:choices:/api/ramp', stored);
    renderCard();
    await click();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ signature: 'again' });
  });

  it('opens a window inside the click, and navigates it after the response', async () => {
    const popup = fakePopup();
    const opened = vi.spyOn(window, 'open').mockReturnValue(popup as never);
    renderCard({ display: 'window' });
    const found = await findButton();
    act(() => {
      found.click();
      expect(opened).toHaveBeenCalledOnce();
    });
    await waitFor(() => expect(popup.location.replace).toHaveBeenCalledOnce());
    expect(popup.location.replace.mock.lastCall?.[0]).toContain('signature=again');
    expect(title()).toBe('Waiting for your payment');
    // Another click shows the window instead of opening a second one.
    act(() => screen.getByRole('button').click());
    expect(screen.getByRole('button').textContent).toBe('Show the checkout window');
    expect(popup.focus).toHaveBeenCalled();
    expect(opened).toHaveBeenCalledOnce();
    popup.close();
    await waitFor(() => expect(title()).toBe('Not paid yet'));
  });

  it('shows the window in which another button of the page opened the checkout', async () => {
    const focus = vi.fn();
    renderCard();
    await findButton();
    let close = () => {};
    act(() => {
      close = addOpenWidget(backend.reference, { isWindow: true, isOpen: () => true, focus });
    });
    act(() => screen.getByRole('button', { name: 'Show the checkout window' }).click());
    expect(focus).toHaveBeenCalledOnce();
    expect(backend.requests).toEqual([]);
    act(close);
    expect(button()).not.toBeNull();
  });

  it('keeps the widget open when its checkout is paid, and then shows the order', async () => {
    renderCard();
    await click();
    await waitForDialog();
    backend.answers[backend.reference] = { progress: 'finished', orders: [order] };
    await waitFor(() => expect(card().dataset.state).toBe('finished'), { timeout: 15_000 });
    expect(dialog()?.open).toBe(true);
    expect(button()).toBeNull();
    close();
    await waitFor(() => expect(dialog()).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(card()));
  }, 30_000);

  it('shows the order that the backend has (409), and opens nothing', async () => {
    renderCard();
    await findButton();
    backend.continue = async () => {
      backend.answers[backend.reference] = { progress: 'finished', orders: [order] };
      return refusal(409, 'ERR_ORDER_EXISTS');
    };
    await click();
    await expectState('finished');
    expect([dialog(), button()]).toEqual([null, null]);
  });

  it('says that the payment was received while its order is only announced (409)', async () => {
    backend.continue = async () => refusal(409, 'ERR_ORDER_EXISTS');
    renderCard();
    await click();
    await waitFor(() => expect(note()).toBe("Your payment has been received. Don't pay again."));
    expect([dialog(), button()]).toEqual([null, null]);
  });

  it.each([
    [410, 'ERR_CHECKOUT_EXPIRED'],
    [404, 'ERR_NOT_FOUND'],
  ])('says that the checkout has ended (%i)', async (status, code) => {
    backend.continue = async () => refusal(status, code);
    renderCard();
    await click();
    await waitFor(() => expect(note()).toBe('This checkout has ended. You can start a new one.'));
    expect([dialog(), button()]).toEqual([null, null]);
  });

  it('says when to try again if the backend cannot check the payment (503)', async () => {
    const works = backend.continue;
    backend.continue = async () =>
      Response.json(
        { error: { code: 'ERR_API_RESPONSE', message: 'The order list could not be read.' } },
        { status: 503, headers: { 'Retry-After': '30' } },
      );
    const popup = fakePopup();
    vi.spyOn(window, 'open').mockReturnValue(popup as never);
    renderCard({ display: 'window' });
    await click();
    await waitFor(() =>
      expect(note()).toMatch(
        /^We could not check whether you have paid\. Try again in 30 seconds\./,
      ),
    );
    expect(popup.closed).toBe(true);
    expect(await findAxeViolations(card())).toEqual([]);
    backend.continue = works;
    vi.spyOn(window, 'open').mockReturnValue(fakePopup() as never);
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    await waitFor(() => expect(title()).toBe('Waiting for your payment'));
    expect(note()).toMatch(/^The checkout is open in another window/);
  });

  it('shows the reason of a refusal with the action of the page', async () => {
    backend.continue = async () => refusal(403, 'ERR_POLICY_REFUSED');
    renderCard({}, { errorAction: () => <a href="#sign-in">Sign in</a> });
    await click();
    await screen.findByRole('link', { name: 'Sign in' });
    expect(button()).not.toBeNull();
  });

  it('reports ERR_SIGNER when the headers function throws', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const cause = new Error('no token');
    let isExpired = false;
    const headers = () => {
      if (isExpired) throw cause;
      return {};
    };
    const onEvent = vi.fn();
    renderCard({}, { headers, onEvent });
    await findButton();
    isExpired = true;
    await click();
    await waitFor(() => expect(onEvent).toHaveBeenCalled());
    const error = expect.objectContaining({ name: 'RampError', code: 'ERR_SIGNER', cause });
    expect(onEvent.mock.calls).toEqual([[expect.objectContaining({ type: 'failed', error })]]);
  });

  it('is used with the keyboard alone', async () => {
    renderCard();
    const found = await findButton();
    found.focus();
    await userEvent.keyboard('{Enter}');
    await waitForDialog();
    expect(document.activeElement).toBe(dialog());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(button()));
  });

  it.each(['unconfirmed', 'finished', 'settled', 'expired', 'review'] as const)(
    'is not there for a checkout that is %s',
    async (progress) => {
      backend.answers[backend.reference] = { progress };
      renderCard();
      await expectState(progress);
      expect(button()).toBeNull();
    },
  );

  it('is not there without the URL of the widget', async () => {
    renderCard({}, { widgetUrl: undefined });
    await expectState('waiting');
    expect([button(), title()]).toEqual([null, 'Waiting for your payment']);
  });

  it('removes its dialog when the card unmounts', async () => {
    const { unmount } = renderCard();
    await click();
    await waitForDialog();
    unmount();
    expect(dialog()).toBeNull();
  });
});
