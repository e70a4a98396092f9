import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { CheckoutEvent, RampError } from '../../../src/index.js';
import {
  countingSigner,
  deferredSigner,
  signProposal,
} from '../../support/browser/countingSigner.js';
import { fakePopup, untilKnown } from '../../support/browser/fakePopup.js';
import { button, renderButton, signerMs } from '../../support/browser/onRampButtonPage.js';

describe('<OnRampButton display="window" />', () => {
  let blank: ReturnType<typeof fakePopup>;
  beforeEach(() => {
    blank = fakePopup();
    vi.spyOn(window, 'open').mockImplementation(() => blank as never);
  });

  it('opens a blank window inside the click, then navigates it without an opener', async () => {
    const { signer } = countingSigner(signerMs);
    renderButton({ signer, display: 'window' });
    act(() => button().click());
    expect(window.open).toHaveBeenCalledOnce();
    expect(blank.location.replace).not.toHaveBeenCalled();
    await waitFor(() => expect(blank.location.replace).toHaveBeenCalledOnce());
    expect(blank.opener).toBeNull();
    expect(blank.moveTo).toHaveBeenCalledWith(
      screenX + (outerWidth - 480) / 2,
      screenY + (outerHeight - 760) / 2,
    );
    const url = new URL(blank.location.replace.mock.calls[0]?.[0] ?? '');
    expect(url.searchParams.get('signature')).toMatch(/^sig/);
    expect(url.searchParams.has('windowOpen')).toBe(false);
  });

  it('opens one window for many clicks', async () => {
    const { signer, proposals } = countingSigner(signerMs);
    renderButton({ signer, display: 'window' });
    for (let i = 0; i < 50; i++) act(() => button().click());
    await waitFor(() => expect(blank.location.replace).toHaveBeenCalledOnce());
    for (let i = 0; i < 50; i++) act(() => button().click());
    expect(window.open).toHaveBeenCalledOnce();
    expect(proposals).toHaveLength(1);
    expect(blank.focus).toHaveBeenCalled();
  });

  it('emits closed when the shopper closes the window, and can open again', async () => {
    const events: string[] = [];
    renderButton({ display: 'window', onEvent: ({ type }) => events.push(type) });
    act(() => button().click());
    await waitFor(() => expect(events).toEqual(['opened']));
    await untilKnown(blank);
    blank.closed = true;
    await waitFor(() => expect(events).toEqual(['opened', 'closed']));
    expect(button().dataset.state).toBe('idle');
  });

  it('emits closed before it opens again', async () => {
    const events: string[] = [];
    renderButton({ display: 'window', onEvent: ({ type }) => events.push(type) });
    act(() => button().click());
    await waitFor(() => expect(events).toEqual(['opened']));
    await untilKnown(blank);
    blank.closed = true;
    blank = fakePopup();
    act(() => button().click());
    await waitFor(() => expect(events).toEqual(['opened', 'closed', 'opened']));
  });

  it('counts as hidden when it looked like another document only for a moment', async () => {
    const events: string[] = [];
    renderButton({ display: 'window', onEvent: ({ type }) => events.push(type) });
    act(() => button().click());
    await waitFor(() => expect(blank.looks).toBe(1));
    blank.closed = true;
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    expect(screen.getByText(/^The checkout is open in another window, unless/)).toBeTruthy();
    expect(events).toEqual(['opened']);
  });

  it('keeps the signature when the shopper closes the blank window', async () => {
    const { signer, proposals } = countingSigner(signerMs);
    const events: string[] = [];
    renderButton({ signer, display: 'window', onEvent: ({ type }) => events.push(type) });
    act(() => button().click());
    blank.closed = true;
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    expect(blank.location.replace).not.toHaveBeenCalled();
    expect(events).toEqual([]);
    blank = fakePopup();
    act(() => button().click());
    await waitFor(() => expect(blank.location.replace).toHaveBeenCalledOnce());
    expect(proposals).toHaveLength(1);
  });

  it('closes the blank window when signing fails', async () => {
    renderButton({ display: 'window', signer: () => Promise.reject(new Error('no')) });
    act(() => button().click());
    await screen.findByRole('alert');
    expect(blank.close).toHaveBeenCalled();
  });

  it('closes the blank window on unmount while signing, and keeps an open widget window', async () => {
    const { signer } = countingSigner(signerMs);
    const first = renderButton({ signer, display: 'window' });
    act(() => button().click());
    first.unmount();
    expect(blank.close).toHaveBeenCalled();
    blank = fakePopup();
    const second = renderButton({ signer, display: 'window' });
    act(() => button().click());
    await waitFor(() => expect(blank.location.replace).toHaveBeenCalled());
    second.unmount();
    expect(blank.close).not.toHaveBeenCalled();
  });

  it('shows a link in place of a blocked window, for one opening', async () => {
    vi.mocked(window.open).mockReturnValue(null);
    const onError = vi.fn<(error: RampError) => void>();
    const { signer } = countingSigner();
    const events: string[] = [];
    renderButton({ signer, display: 'window', onError, onEvent: ({ type }) => events.push(type) });
    act(() => button().click());
    const link = await screen.findByRole<HTMLAnchorElement>('link', {
      name: 'Open the checkout here.',
    });
    expect(screen.getByRole('alert').textContent).toContain('The window did not open.');
    expect(new URL(link.href).searchParams.get('signature')).toMatch(/^sig/);
    expect(link.rel).toBe('noreferrer');
    expect(onError.mock.calls[0]?.[0]).toMatchObject({
      code: 'ERR_WIDGET_BLOCKED',
      message: expect.stringContaining('not after an await'),
    });
    link.addEventListener('click', (event) => event.preventDefault());
    // A right click opens the browser's menu and does not use the link.
    await userEvent.click(link, { button: 'right' });
    await new Promise((done) => setTimeout(done, 20));
    expect(events).toEqual(['blocked']);
    await userEvent.click(link);
    link.click();
    expect(events).toEqual(['blocked']);
    // The new window takes the focus.
    await new Promise((done) => setTimeout(done, 20));
    window.dispatchEvent(new Event('blur'));
    await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
    expect(events).toEqual(['blocked', 'opened']);
    expect(document.activeElement).toBe(button());
  });

  it('keeps the link until a window has opened, and offers this window if none has', async () => {
    vi.mocked(window.open).mockReturnValue(null);
    const events: string[] = [];
    renderButton({
      signer: countingSigner().signer,
      display: 'window',
      onEvent: ({ type }) => events.push(type),
    });
    act(() => button().click());
    const link = await screen.findByRole('link', { name: 'Open the checkout here.' });
    link.addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(link);
    await screen.findByRole('button', { name: 'Open it in this window.' });
    expect(screen.getByRole('link')).toBe(link);
    expect(events).toEqual(['blocked']);
    // The window has only come late.
    window.dispatchEvent(new Event('blur'));
    await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
    expect(events).toEqual(['blocked', 'opened']);
  });

  it.each([
    [
      'Android',
      'Mozilla/5.0 (Linux; Android 16; Pixel 9; wv) AppleWebKit/537.36 Chrome/150.0 Mobile',
    ],
    [
      'iOS',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
    ],
    [
      'Instagram',
      'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1 Instagram 400.0',
    ],
  ])('shows the link in the web view of %s, and opens no window first', async (_, userAgent) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
    renderButton({ display: 'window' });
    act(() => button().click());
    await screen.findByRole('link', { name: 'Open the checkout here.' });
    expect(window.open).not.toHaveBeenCalled();
  });

  it.each([
    [{}, 'modal'],
    [{ autoDisplays: { browser: 'window' } }, 'window'],
  ] as const)('is chosen by display="auto" with %o: %s', async (settings, display) => {
    const onOpen = vi.fn<(event: CheckoutEvent) => void>();
    renderButton({ display: 'auto', onOpen, ...settings });
    act(() => button().click());
    await waitFor(() => expect(onOpen.mock.calls[0]?.[0].display).toBe(display));
  });

  it('notices at once that the shopper closes the blank window while signing', async () => {
    const { signer, proposals, release } = deferredSigner();
    renderButton({ signer, display: 'window' });
    act(() => button().click());
    await waitFor(() => expect(proposals).toHaveLength(1));
    blank.close();
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
    blank = fakePopup();
    act(() => button().click());
    await release();
    await waitFor(() => expect(blank.location.replace).toHaveBeenCalledOnce());
    expect(proposals).toHaveLength(1);
  });

  it.each([
    ['returns the page itself', () => vi.mocked(window.open).mockReturnValue(window)],
    ['is missing', () => Reflect.set(window, 'open', undefined)],
    [
      'throws',
      () =>
        vi.mocked(window.open).mockImplementation(() => {
          throw new DOMException('Not allowed here.', 'InvalidAccessError');
        }),
    ],
  ])('shows the link in an in-app browser, where window.open %s', async (_, breakOpen) => {
    const { open } = window;
    breakOpen();
    const onError = vi.fn<(error: RampError) => void>();
    const { signer } = countingSigner();
    renderButton({ signer, display: 'window', onError });
    act(() => button().click());
    await screen.findByRole('link', { name: 'Open the checkout here.' });
    expect(onError.mock.calls[0]?.[0].code).toBe('ERR_WIDGET_BLOCKED');
    window.open = open;
  });

  it('opens the widget in a window whose document the page cannot change', async () => {
    Object.defineProperty(blank, 'document', { value: undefined });
    renderButton({ display: 'window' });
    act(() => button().click());
    await waitFor(() => expect(blank.location.replace).toHaveBeenCalledOnce());
    expect(button().dataset.state).toBe('open');
  });

  it('removes the link when its signature expires', async () => {
    vi.mocked(window.open).mockReturnValue(null);
    const { signer } = countingSigner(0, (proposal) => ({
      ...signProposal(proposal),
      expiresInSeconds: 0.3,
    }));
    renderButton({ signer, display: 'window' });
    act(() => button().click());
    await screen.findByRole('link');
    await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
    expect(button().dataset.state).toBe('idle');
  });
});
