import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CheckoutStatus } from '../../../src/index.js';
import '../../../src/styles.css';

import {
  card,
  checkoutStatusPage,
  expectState,
  liveRegion,
  order,
} from '../../support/browser/checkoutStatusPage.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import {
  createCheckoutResponse,
  pollNow,
  statusBackend,
} from '../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('<CheckoutStatus /> without a response', () => {
  it('shows a busy skeleton', async () => {
    statusBackend();
    render(checkoutStatusPage());
    expect(card().dataset.state).toBe('loading');
    expect(card().getAttribute('aria-busy')).toBe('true');
    expect(card().querySelector('.ramp-status-skeleton')).not.toBeNull();
    expect(liveRegion().textContent).toBe('Loading your order…');
  });

  it('shows that the order is safe while the backend cannot be reached, and retries when the button is clicked', async () => {
    const { requests, nth } = statusBackend();
    render(checkoutStatusPage());
    (await nth(1)).fail();
    (await nth(2)).fail();
    await waitFor(() => expect(card().dataset.state).toBe('error'), { timeout: 20_000 });
    expect(liveRegion().textContent).toMatch(/^No connection to the shop.*Your order is safe/);
    const before = requests.length;
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    expect(document.activeElement).toBe(card());
    expect(card().dataset.state).toBe('loading');
    (await nth(before + 1)).respond(createCheckoutResponse());
    await expectState('waiting');
    expect(screen.queryByRole('button')).toBeNull();
  }, 60_000);

  it("suggests signing in when the checkout is not this user's", async () => {
    const { nth } = statusBackend();
    render(checkoutStatusPage());
    (await nth(1)).respond();
    await expectState('error');
    expect(liveRegion().textContent).toMatch(/^This order cannot be shown.*Sign in/);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    expect(await findAxeViolations(card())).toEqual([]);
  });

  it('has no retry button when a retry cannot help', async () => {
    render(<CheckoutStatus reference="r1" />);
    await expectState('error');
    await waitFor(() => expect(liveRegion().textContent).toContain('This order cannot be shown'));
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('<CheckoutStatus /> after a lost connection', () => {
  it('keeps the last state with a note, and recovers automatically', async () => {
    const { requests, nth } = statusBackend();
    render(checkoutStatusPage());
    (await nth(1)).respond(createCheckoutResponse({ progress: 'unconfirmed' }));
    await expectState('unconfirmed');
    (await nth(2)).fail();
    (await nth(3)).fail();
    await waitFor(() => expect(card().dataset.offline).toBe('true'), { timeout: 20_000 });
    expect(card().dataset.state).toBe('unconfirmed');
    expect(liveRegion().textContent).toMatch(
      /being confirmed.*No connection to the shop Your order is safe/,
    );
    const before = requests.length;
    pollNow();
    (await nth(before + 1)).respond(
      createCheckoutResponse({ progress: 'finished', orders: [order] }),
    );
    await expectState('finished');
    expect(card().dataset.offline).toBeUndefined();
    expect(liveRegion().textContent).not.toContain('No connection');
  }, 60_000);
});
