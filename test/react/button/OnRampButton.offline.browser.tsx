import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { signProposal } from '../../support/browser/countingSigner.js';
import { button, renderButton, waitForDialog } from '../../support/browser/onRampButtonPage.js';

const setOnline = (isOnline: boolean) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  if (isOnline) act(() => void dispatchEvent(new Event('online')));
};

// Clicks before the code has loaded need a production build, so test/e2e/failureMessages.test.ts tests them.
describe('<OnRampButton /> without a connection', () => {
  beforeEach(() => setOnline(false));

  it('asks to try again, and removes the note when online', async () => {
    let isReachable = false;
    vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
      if (!isReachable) throw new TypeError('Failed to fetch');
      return Response.json(signProposal(JSON.parse(String(init?.body))), { status: 201 });
    });
    renderButton({ api: '/api/ramp' });
    act(() => button().click());
    const alert = await screen.findByRole('alert');
    await waitFor(() =>
      expect(alert.textContent?.trim()).toBe(
        'The shop could not be reached. Check your connection. Try again',
      ),
    );
    isReachable = true;
    setOnline(true);
    expect([screen.queryByRole('alert'), button().dataset.state]).toEqual([null, 'idle']);
    act(() => button().click());
    await waitForDialog();
    // A later `online` event leaves the open dialog alone.
    setOnline(true);
    expect(button().dataset.state).toBe('open');
  });
});
