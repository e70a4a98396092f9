import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton } from '../../../../src/index.js';
import * as ar from '../../../../src/messages/ar.js';
import { accelerateTime } from '../../../support/browser/accelerateTime.js';
import {
  continueBackend,
  elapseWidgetTime,
  renderOpenCheckout,
} from '../../../support/browser/continueBackend.js';
import { countingSigner } from '../../../support/browser/countingSigner.js';
import { fakePopup } from '../../../support/browser/fakePopup.js';
import { findAxeViolations } from '../../../support/browser/findAxeViolations.js';
import {
  gone,
  newWindow,
  notice,
  press,
  question,
  refusal,
} from '../../../support/browser/newWindowPage.js';
import {
  button,
  dialog,
  waitForDialog,
  widgetUrl,
} from '../../../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof continueBackend>;
beforeEach(() => {
  backend = continueBackend();
  backend.answers[backend.reference] = {};
});

describe('moveCheckout before the widget was used', () => {
  it('continues the same checkout without asking for confirmation', async () => {
    const { events, windows } = await renderOpenCheckout();
    newWindow();
    expect(question()).toBeNull();
    await gone();
    const { reference } = backend;
    expect(backend.requests).toEqual(['/checkouts', `/checkouts/${reference}/continue`]);
    const url = new URL(windows[0]?.location.replace.mock.calls[0]?.[0] ?? '');
    expect(url.searchParams.get('signature')).toBe('again');
    expect(url.searchParams.get('ext')).toBe(reference);
    expect(url.searchParams.has('windowOpen')).toBe(false);
    expect(events.map(({ type, display }) => `${type} ${display}`)).toEqual([
      'opened modal',
      'loaded modal',
      'closed modal',
      'opened window',
    ]);
    expect(new Set(events.map((event) => event.reference))).toEqual(new Set([reference]));
    expect(notice()?.textContent).toMatch(/^The checkout is open in another window/);
  });

  it('continues to call onStatusChange, once for each change', async () => {
    accelerateTime();
    const onStatusChange = vi.fn();
    await renderOpenCheckout({ onStatusChange });
    await waitFor(() => expect(onStatusChange).toHaveBeenCalledOnce());
    newWindow();
    await gone();
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(() => expect(onStatusChange).toHaveBeenCalledTimes(2));
    expect(onStatusChange.mock.lastCall?.[0]).toMatchObject({ progress: 'finished' });
  });

  it('sends the credentials and headers of the latest render', async () => {
    await renderOpenCheckout({ credentials: 'include', headers: { 'X-CSRF': 't' } });
    newWindow();
    await gone();
    expect(backend.init).toMatchObject({ method: 'POST', credentials: 'include' });
    expect(new Headers(backend.init?.headers).get('x-csrf')).toBe('t');
  });

  it('keeps the widget while it requests the signature, and on "Stay here"', async () => {
    backend.continue = () => new Promise(() => {});
    const { windows } = await renderOpenCheckout();
    newWindow();
    expect(screen.getByRole('alertdialog').textContent).toContain('Opening the checkout…');
    expect(windows[0]?.document.title).toBe('Opening the checkout…');
    press('Stay here');
    expect([dialog()?.open, windows[0]?.closed]).toEqual([true, true]);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('keeps the widget when the shopper closes the blank window', async () => {
    let resume = (_: Response) => {};
    backend.continue = () => new Promise((done) => (resume = done));
    const { windows } = await renderOpenCheckout();
    newWindow();
    await waitFor(() => expect(backend.requests).toHaveLength(2));
    windows[0]?.close();
    const { reference } = backend;
    await act(async () => resume(Response.json({ reference, params: { signature: 's' } })));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(dialog()?.open).toBe(true);
    expect(windows[0]?.location.replace).not.toHaveBeenCalled();
  });
});

describe('moveCheckout in an in-app browser', () => {
  it('shows the link where window.open throws', async () => {
    await renderOpenCheckout();
    vi.mocked(window.open).mockImplementation(() => {
      throw new TypeError('window.open is not a function');
    });
    newWindow();
    const link = await screen.findByRole<HTMLAnchorElement>('link');
    expect(new URL(link.href).searchParams.get('signature')).toBe('again');
  });
});

describe('moveCheckout without a backend that can continue the checkout', () => {
  it('offers a new checkout, and opens it when the shopper has not paid', async () => {
    const { signer, proposals } = countingSigner();
    const opens = vi.spyOn(window, 'open').mockImplementation(() => fakePopup() as never);
    render(<OnRampButton widgetUrl={widgetUrl} signer={signer} />);
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    elapseWidgetTime();
    newWindow();
    expect(question()?.textContent).toContain('You can start a new one there.');
    expect([proposals.length, opens.mock.calls.length]).toEqual([1, 0]);
    press('Start a new checkout');
    await gone();
    await waitFor(() => expect(proposals).toHaveLength(2));
    expect(opens).toHaveBeenCalledOnce();
  });
});

describe('moveCheckout after the widget was used', () => {
  const ask = async (props = {}) => {
    const shown = await renderOpenCheckout(props);
    elapseWidgetTime();
    newWindow();
    return shown;
  };

  it('asks for confirmation over the widget, and moves the focus there', async () => {
    const { windows } = await ask();
    expect(question()).toBe(document.activeElement);
    expect(question()?.textContent).toContain("don't pay again");
    expect(document.querySelector('iframe')?.inert).toBe(true);
    expect([windows.length, backend.requests.length]).toEqual([0, 1]);
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it.each(['{Escape}', 'Stay here'])(
    'closes the question and keeps the widget with %s',
    async (way) => {
      const { windows } = await renderOpenCheckout();
      elapseWidgetTime();
      await userEvent.click(screen.getByRole('button', { name: 'Open in a new window' }));
      if (way === '{Escape}') await userEvent.keyboard(way);
      else await userEvent.click(screen.getByRole('button', { name: way }));
      expect(question()).toBeNull();
      expect(dialog()?.open).toBe(true);
      expect(document.querySelector('iframe')?.inert).toBe(false);
      expect(document.activeElement?.textContent).toBe('Open in a new window');
      expect([windows.length, backend.requests.length]).toEqual([0, 1]);
      await userEvent.keyboard('{Escape}');
      await gone();
    },
  );

  it('closes only the question on the back gesture of a phone', async () => {
    await ask();
    const cancel = new Event('cancel', { cancelable: true });
    act(() => void dialog()?.dispatchEvent(cancel));
    expect([cancel.defaultPrevented, question(), dialog()?.open]).toEqual([true, null, true]);
  });

  it('closes the dialog and shows the order when the shopper has paid', async () => {
    accelerateTime();
    const { windows } = await ask();
    press("Yes, I've paid");
    await gone();
    expect([windows.length, backend.requests.length]).toEqual([0, 1]);
    expect(document.activeElement).toBe(button());
    expect(notice()?.textContent).toContain("don't pay again");
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(() => expect(notice()?.textContent).toMatch(/^Delivered/));
  });

  it('continues the same checkout when the shopper has not paid', async () => {
    const { windows, events } = await ask();
    press('No, continue in a new window');
    await gone();
    expect(backend.requests).toEqual(['/checkouts', `/checkouts/${backend.reference}/continue`]);
    expect(windows).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'opened', reference: backend.reference });
  });

  it('shows the order without a new signature when the backend has one, for either reply', async () => {
    backend.continue = async () => refusal(409, 'ERR_ORDER_EXISTS');
    backend.answers[backend.reference] = { progress: 'unconfirmed' };
    const { windows } = await ask();
    press('No, continue in a new window');
    await gone();
    expect(windows[0]?.closed).toBe(true);
    expect(windows[0]?.location.replace).not.toHaveBeenCalled();
    expect(notice()?.textContent).toBe("Your payment has been received. Don't pay again.");
    await waitFor(() => expect(notice()?.textContent).toMatch(/being confirmed/));
    expect(button().dataset.state).toBe('idle');
  });

  it.each([
    [410, 'ERR_CHECKOUT_EXPIRED'],
    [404, 'ERR_NOT_FOUND'],
    [405, 'ERR_METHOD_NOT_ALLOWED'],
  ])('offers a new checkout when the backend responds %s', async (status, code) => {
    backend.continue = async () => refusal(status, code);
    const { windows } = await ask();
    press('No, continue in a new window');
    const startNew = await screen.findByRole('button', { name: 'Start a new checkout' });
    expect([windows[0]?.closed, dialog()?.open]).toEqual([true, true]);
    act(() => startNew.click());
    await gone();
    await waitFor(() => expect(windows[1]?.location.replace).toHaveBeenCalled());
    expect(backend.requests.at(-1)).toBe('/checkouts');
  });

  it.each([
    ['cannot be reached', () => Promise.reject(new TypeError('offline')), /could not be reached/],
    ['fails', async () => refusal(500, 'ERR_SIGNER'), /could not check whether you have paid/],
    ['responds 409 without a state', async () => refusal(409, 'X'), /could not check/],
    ['signs another one', async () => Response.json({ reference: 'x', params: {} }), /not check/],
    [
      'is behind a proxy that fails',
      async () => new Response('<html>', { status: 503 }),
      /not check/,
    ],
  ])('opens no window when the backend %s, and can retry', async (_, reply, words) => {
    const works = backend.continue;
    backend.continue = reply;
    const { windows } = await ask();
    press('No, continue in a new window');
    await waitFor(() => expect(screen.getByRole('alertdialog').textContent).toMatch(words));
    expect([windows[0]?.closed, dialog()?.open]).toEqual([true, true]);
    backend.continue = works;
    press('Try again');
    await gone();
    expect(windows[1]?.location.replace).toHaveBeenCalledOnce();
    expect(backend.requests.filter((path) => path === '/checkouts')).toHaveLength(1);
  });

  it('reports ERR_SIGNER when the headers function throws, and can retry', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    // The status belongs to the request for the token, not to the checkout.
    const cause = Object.assign(new Error('no token'), { status: 410 });
    let isExpired = false;
    const onError = vi.fn();
    const { windows } = await ask({
      onError,
      headers: () => {
        if (isExpired) throw cause;
        return {};
      },
    });
    isExpired = true;
    press('No, continue in a new window');
    await screen.findByRole('alertdialog', { name: /could not check whether you have paid/ });
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ name: 'RampError', code: 'ERR_SIGNER', cause })],
    ]);
    expect([windows[0]?.closed, dialog()?.open]).toEqual([true, true]);
    isExpired = false;
    press('Try again');
    await gone();
  });

  it('opens no window when the backend refuses, and shows only its message', async () => {
    backend.continue = async () => refusal(403, 'ERR_POLICY_REFUSED', 'Sold.');
    const { windows } = await ask();
    press('No, continue in a new window');
    await waitFor(() => expect(screen.getByRole('alertdialog').textContent).toContain('Sold.'));
    expect(windows[0]?.closed).toBe(true);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    press('Keep it open');
    expect([screen.queryByRole('alertdialog'), dialog()?.open]).toEqual([null, true]);
  });

  it('asks a shopper who has signed out meanwhile to sign in', async () => {
    backend.continue = async () => refusal(401, 'ERR_SIGNED_OUT', 'No session.');
    const { windows } = await ask();
    press('No, continue in a new window');
    await waitFor(() =>
      expect(screen.getByRole('alertdialog').textContent).toContain('Sign in to buy.'),
    );
    expect(screen.getByRole('alertdialog').textContent).not.toContain('No session.');
    expect(windows[0]?.closed).toBe(true);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    press('Keep it open');
  });

  it('aborts when the dialog is closed meanwhile', async () => {
    backend.continue = () => new Promise(() => {});
    const { windows } = await ask();
    press('No, continue in a new window');
    press('Close the checkout');
    await gone();
    expect(windows[0]?.closed).toBe(true);
  });

  it('asks for confirmation after a slow load, but not for a frame that the browser refused', async () => {
    // The frames report no `load` event, so the dialog keeps the state "loading".
    vi.spyOn(HTMLIFrameElement.prototype, 'addEventListener').mockReturnValue();
    backend.continue = () => new Promise(() => {});
    const { unmount } = render(<OnRampButton widgetUrl={widgetUrl} api="/api/ramp" />);
    act(() => button().click());
    await waitForDialog();
    expect(dialog()?.dataset.state).toBe('loading');
    elapseWidgetTime(13_001);
    newWindow();
    expect(question()).not.toBeNull();
    unmount();
    // Another amount is another purchase, so nothing is asked before it opens.
    render(<OnRampButton widgetUrl={widgetUrl} api="/api/ramp" amount="200" />);
    act(() => button().click());
    await waitForDialog();
    const violation = new SecurityPolicyViolationEvent('securitypolicyviolation', {
      effectiveDirective: 'frame-src',
      disposition: 'enforce',
      blockedURI: widgetUrl,
      documentURI: location.href,
      violatedDirective: 'frame-src',
      originalPolicy: '',
      statusCode: 200,
    });
    document.dispatchEvent(violation);
    expect(dialog()?.dataset.state).toBe('refused');
    elapseWidgetTime(60_000);
    newWindow();
    expect(question()).toBeNull();
  });

  it('uses the language and direction of the page', async () => {
    const { messages } = ar;
    render(
      <div dir="rtl" lang="ar">
        <OnRampButton widgetUrl={widgetUrl} messages={messages}>
          Buy crypto
        </OnRampButton>
      </div>,
    );
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    elapseWidgetTime();
    press(messages.newWindow);
    const sheet = screen.getByRole('alertdialog', { name: messages.paidQuestion });
    expect(getComputedStyle(sheet).direction).toBe('rtl');
  });

  it('works with the inline display', async () => {
    render(<OnRampButton widgetUrl={widgetUrl} display="inline" />);
    act(() => button().click());
    const region = await screen.findByRole('region');
    await waitFor(() => expect(region.dataset.state).toBe('ready'));
    elapseWidgetTime();
    newWindow();
    expect(question()).toBe(document.activeElement);
    await userEvent.keyboard('{Escape}');
    expect([question(), region.isConnected]).toEqual([null, true]);
  });
});
