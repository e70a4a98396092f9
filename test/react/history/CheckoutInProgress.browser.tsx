import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { addOpenWidget, getCardOf } from '../../../src/client/pageCheckouts.js';
import {
  CheckoutInProgress,
  type CheckoutInProgressProps,
  CheckoutStatus,
  RampProvider,
} from '../../../src/index.js';
import '../../../src/styles.css';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { createListed, failure, historyBackend } from '../../support/browser/historyBackend.js';
import { dialog, waitForDialog, widgetUrl } from '../../support/browser/onRampButtonPage.js';
import { pollNow } from '../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const page = (props: CheckoutInProgressProps = {}, status?: string) => (
  <StrictMode>
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
      <CheckoutInProgress data-testid="note" {...props} />
      {status && <CheckoutStatus reference={status} />}
    </RampProvider>
  </StrictMode>
);
const text = () => screen.getByTestId('note').querySelector('[role="status"]')?.textContent;
const shown = async () => {
  await waitFor(() => expect(text()).toMatch(/^You have a checkout in progress\./));
  // Wait for the effects of StrictMode, which mount the note twice.
  await act(async () => {});
};
const hidden = () => waitFor(() => expect(text()).toBe(''));
const button = (name: string) => screen.getByRole('button', { name });

describe('<CheckoutInProgress />', () => {
  it('is empty without a waiting checkout', async () => {
    const backend = historyBackend(createListed('r1', { progress: 'finished' }));
    render(page());
    await waitFor(() => expect(backend.requests.length).toBeGreaterThan(0));
    expect(new Set(backend.requests)).toEqual(new Set(['/checkouts?limit=20']));
    expect(text()).toBe('');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('announces the newest waiting checkout politely, and continues it', async () => {
    const backend = historyBackend(createListed('r2'), createListed('r1'));
    render(page());
    await shown();
    expect(await findAxeViolations(document.body)).toEqual([]);
    act(() => button('Continue checkout').click());
    await waitForDialog();
    expect(backend.continued).toEqual(['r2']);
    // The note is hidden while the widget of its checkout is open.
    await hidden();
    act(() => dialog()?.close());
    await shown();
  });

  it('is hidden while the page has the widget of another checkout open', async () => {
    historyBackend(createListed('r1'));
    render(page());
    await shown();
    let close = () => {};
    act(() => {
      const widget = { isWindow: true, isOpen: () => true, focus: () => {} };
      close = addOpenWidget('r2', widget);
    });
    await hidden();
    act(close);
    await shown();
  });

  it('keeps the widget open when the checkout is paid and leaves the list', async () => {
    const backend = historyBackend(createListed('r1'));
    render(page());
    await shown();
    act(() => button('Continue checkout').click());
    await waitForDialog();
    backend.checkouts = [];
    const sent = backend.requests.length;
    pollNow();
    await waitFor(() => expect(backend.requests.length).toBeGreaterThan(sent));
    await act(async () => {});
    expect(dialog()?.open).toBe(true);
    act(() => dialog()?.close());
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
    await hidden();
  });

  it.each([
    ['its button', () => userEvent.click(button('Dismiss'))],
    [
      'the keyboard',
      async () => {
        button('Dismiss').focus();
        await userEvent.keyboard('{Enter}');
      },
    ],
    [
      'Escape',
      async () => {
        button('Continue checkout').focus();
        await userEvent.keyboard('{Escape}');
      },
    ],
  ])('is dismissed with %s, also on the next page of the tab', async (_, dismiss) => {
    const backend = historyBackend(createListed('r1'));
    const { unmount } = render(page());
    await shown();
    await dismiss();
    await hidden();
    expect(screen.queryByRole('button')).toBeNull();
    // The focus stays at the place of the note, so that Tab goes on from there.
    expect(document.activeElement?.className).toContain('ramp-in-progress');
    unmount();
    render(page());
    const sent = backend.requests.length;
    await waitFor(() => expect(backend.requests.length).toBeGreaterThan(sent));
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
    // The note of another checkout is still shown.
    cleanup();
    backend.checkouts = [createListed('r2'), createListed('r1')];
    render(page());
    await shown();
  });

  it('is hidden while a card of the page shows the same checkout', async () => {
    historyBackend(createListed('r2', { progress: 'finished' }), createListed('r1'));
    const { rerender } = render(page());
    await shown();
    rerender(page({}, 'r1'));
    await hidden();
    rerender(page());
    await shown();
  });

  it('stays hidden while one of two cards still shows the checkout', async () => {
    historyBackend(createListed('r1'));
    const both = (hasSecond: boolean) => (
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
        <CheckoutInProgress data-testid="note" />
        <CheckoutStatus reference="r1" data-testid="first" />
        {hasSecond && <CheckoutStatus reference="r1" data-testid="second" />}
      </RampProvider>
    );
    const { rerender } = render(both(true));
    for (const id of ['first', 'second'])
      await waitFor(() => expect(screen.getByTestId(id).dataset.state).toBe('waiting'));
    await hidden();
    rerender(both(false));
    await act(async () => {});
    expect(text()).toBe('');
    expect(getCardOf('r1')).toBe(screen.getByTestId('first'));
  });

  it('is empty if the list cannot be requested', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const backend = historyBackend(createListed('r1'));
    backend.respond = failure(404, 'ERR_REQUEST');
    render(page());
    await waitFor(() => expect(backend.requests.length).toBeGreaterThan(0));
    expect([text(), screen.queryByRole('button')]).toEqual(['', null]);
  });

  it('works if the browser blocks the storage', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    historyBackend(createListed('blocked'));
    render(page());
    await shown();
    await userEvent.click(button('Dismiss'));
    await hidden();
  });
});
