import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type CheckoutEvent, OnRampButton } from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import {
  button,
  dialog,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

describe('<OnRampButton /> as a dialog', () => {
  it('has an accessible name and a named, sandboxed frame, and emits its events', async () => {
    const events: CheckoutEvent['type'][] = [];
    renderButton({ onEvent: ({ type }) => events.push(type) });
    await userEvent.click(button());
    await waitForDialog();
    expect(screen.getByRole('dialog', { name: 'Checkout' })).toBe(dialog());
    const frame = screen.getByTitle<HTMLIFrameElement>('Checkout');
    expect(frame.allow).toBe('payment *; camera *; microphone *; clipboard-write *');
    expect(frame.getAttribute('sandbox')).not.toContain('top-navigation');
    expect(frame.sandbox).toContain('allow-storage-access-by-user-activation');
    expect(frame.referrerPolicy).toBe('strict-origin');
    await waitFor(() => expect(events).toEqual(['opened', 'loaded']));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(events).toEqual(['opened', 'loaded', 'closed']));
  });

  it('names its close button in browsers that do not reflect ARIA properties', async () => {
    // Disable `ariaLabel` and `ariaHidden`, which Firefox before version 119 does not support.
    vi.spyOn(Element.prototype, 'ariaLabel', 'set').mockReturnValue();
    vi.spyOn(Element.prototype, 'ariaHidden', 'set').mockReturnValue();
    renderButton();
    await userEvent.click(button());
    await waitForDialog();
    const close = screen.getByRole('button', { name: 'Close the checkout' });
    expect(close.innerHTML).toContain('aria-hidden="true"');
  });

  it('opens by keyboard, closes with Escape and returns the focus', async () => {
    const { signer, proposals } = countingSigner();
    // A pointer that rests on the button would request a signature when the dialog closes.
    await userEvent.unhover(document.body);
    renderButton({ signer });
    await userEvent.tab();
    expect(document.activeElement).toBe(button());
    await userEvent.keyboard('{Enter}');
    await waitForDialog();
    expect(document.activeElement).toBe(dialog());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(dialog()).toBeNull());
    expect(document.activeElement).toBe(button());
    // The focus that returned to the button requested no second signature.
    expect(proposals).toHaveLength(1);
  });

  it('stays open when Enter is pressed twice', async () => {
    renderButton();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await waitForDialog();
    await userEvent.keyboard('{Enter}');
    expect(dialog()?.open).toBe(true);
    // The dialog itself has the focus, so Tab moves it to the first button of the bar.
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe('Open in a new window');
  });

  it('passes axe with the dialog open and with an error', async () => {
    renderButton();
    await userEvent.click(button());
    await waitForDialog();
    expect(await findAxeViolations(document.body)).toEqual([]);
    cleanup();
    renderButton({ signer: () => Promise.reject(new Error('no')) });
    await userEvent.click(button());
    await screen.findByRole('alert');
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('keeps the whole bar visible and clickable at 400 % zoom', async () => {
    const { innerWidth, innerHeight } = window;
    // At 400 % zoom, a window of 1280 × 1024 pixels has a viewport of 320 × 256 CSS pixels.
    await page.viewport(320, 256);
    renderButton({
      widgetUrl: 'https://checkout.payments.a-long-name.example',
      messages: { newWindow: 'Ouvrir le paiement dans une nouvelle fenêtre du navigateur' },
    });
    act(() => button().click());
    await waitForDialog();
    for (const part of document.querySelectorAll('.ramp-bar > *')) {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      expect([left >= 0, right <= 320, top >= 0, bottom <= 128]).toEqual([true, true, true, true]);
      expect(part.scrollWidth).toBeLessThanOrEqual(part.clientWidth);
    }
    await page.viewport(innerWidth, innerHeight);
  });

  it('does not bubble its events to the React tree around it', async () => {
    const listener = vi.fn();
    render(
      // biome-ignore lint/a11y: the listener is the test
      <div onClick={listener}>
        <OnRampButton widgetUrl={widgetUrl} />
      </div>,
    );
    await userEvent.click(button());
    await waitForDialog();
    listener.mockClear();
    await userEvent.click(screen.getByRole('button', { name: 'Close the checkout' }));
    expect(listener).not.toHaveBeenCalled();
  });

  it('is removed with the component, and leaves nothing behind after many mounts', async () => {
    for (let i = 0; i < 20; i++) {
      const { unmount } = renderButton();
      act(() => button().click());
      await waitForDialog();
      unmount();
      expect(dialog()).toBeNull();
    }
  });
});
