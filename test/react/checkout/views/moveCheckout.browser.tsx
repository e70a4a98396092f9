import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OnRampButton } from '../../../../src/index.js';
import { accelerateTime } from '../../../support/browser/accelerateTime.js';
import {
  continueBackend,
  elapseWidgetTime,
  renderOpenCheckout,
} from '../../../support/browser/continueBackend.js';
import { countingSigner } from '../../../support/browser/countingSigner.js';
import { fakePopup } from '../../../support/browser/fakePopup.js';
import {
  gone,
  newWindow,
  notice,
  press,
  question,
} from '../../../support/browser/newWindowPage.js';
import {
  button,
  dialog,
  waitForDialog,
  widgetUrl,
} from '../../../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof continueBackend>;
beforeEach(() => {
  sessionStorage.clear();
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

  it('shows a link when the browser blocks the window', async () => {
    await renderOpenCheckout();
    vi.mocked(window.open).mockReturnValue(null);
    newWindow();
    const link = await screen.findByRole<HTMLAnchorElement>('link');
    expect(new URL(link.href).searchParams.get('signature')).toBe('again');
    expect(button().dataset.state).toBe('blocked');
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
