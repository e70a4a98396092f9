import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { countingSigner } from '../../support/browser/countingSigner.js';
import { button, renderButton } from '../../support/browser/onRampButtonPage.js';

// A page remembers this until it is reloaded, so the test has a page of its own.
it('opens no window again in a page that was left after its window was blocked', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  const { signer } = countingSigner();
  renderButton({ signer, display: 'window' });
  act(() => button().click());
  await screen.findByRole('link', { name: 'Open the checkout here.' });
  act(() => button().click());
  await waitFor(() => expect(window.open).toHaveBeenCalledTimes(2));
  // The shopper goes back to the page, which a web view has replaced by the window.
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  act(() => button().click());
  await screen.findByRole('link', { name: 'Open the checkout here.' });
  expect(window.open).toHaveBeenCalledTimes(2);
});
