import { act, screen, waitFor } from '@testing-library/react';
import { flushSync } from 'react-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OnRampButton } from '../../../src/index.js';
import { signProposal } from '../../support/browser/countingSigner.js';
import {
  button,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

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

  it('removes the note when online, although another listener renders the page first', async () => {
    vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    const { rerender } = renderButton({ api: '/api/ramp' });
    const element = (title: string) => (
      <OnRampButton widgetUrl={widgetUrl} api="/api/ramp" title={title} />
    );
    // The price card does so: it loads a new price.
    const render = () => flushSync(() => rerender(element('again')));
    addEventListener('online', render, { once: true });
    act(() => button().click());
    await screen.findByRole('button', { name: 'Try again' });
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The shop'));
    setOnline(true);
    expect(button().title).toBe('again');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
