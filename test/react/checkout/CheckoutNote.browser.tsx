import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CheckoutStatus } from '../../../src/index.js';
import {
  continueBackend,
  elapseWidgetTime,
  renderOpenCheckout,
} from '../../support/browser/continueBackend.js';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { gone, notice, press } from '../../support/browser/newWindowPage.js';
import { button, dialog, waitForDialog } from '../../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof continueBackend>;
beforeEach(() => {
  backend = continueBackend();
  backend.answers[backend.reference] = {};
});

const orderCard = (reference: string) => <CheckoutStatus api="/api/ramp" reference={reference} />;
const getDescription = (element: Element | null) =>
  document.getElementById(element?.getAttribute('aria-describedby') ?? '')?.textContent;
const card = () => document.querySelector<HTMLElement>('.ramp-status');

describe('the notice of <CheckoutNote />', () => {
  it('appears after a checkout that may have been paid was closed, and scrolls into view', async () => {
    await renderOpenCheckout();
    expect(notice()?.getAttribute('role')).toBe('status');
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    elapseWidgetTime();
    press('Close the checkout');
    await gone();
    expect(notice()?.textContent).toContain('If you have paid');
    expect(scroll.mock.contexts).toEqual([notice()]);
    expect(scroll.mock.calls[0]?.[0]).toMatchObject({ block: 'nearest' });
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('leaves the order to a card that shows it, and scrolls to the card', async () => {
    await renderOpenCheckout();
    const shown = render(orderCard(backend.reference));
    elapseWidgetTime();
    press('Close the checkout');
    await gone();
    await waitFor(() => expect(card()?.dataset.state).toBe('waiting'));
    // The card does not warn against a second payment, so the notice stays until there is an order.
    expect(notice()?.textContent).toContain("don't pay again");
    shown.unmount();
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    backend.answers[backend.reference] = { progress: 'finished' };
    const again = render(orderCard(backend.reference));
    await waitFor(() => expect(notice()?.textContent).toBe(''), { timeout: 10_000 });
    await waitFor(() => expect(scroll.mock.contexts).toEqual([card()]));
    again.unmount();
    await waitFor(() => expect(notice()?.textContent).toMatch(/^Delivered/));
  });

  it.each(['button', 'body'])(
    'moves the focus from the %s to the card of a paid checkout, which says its state',
    async (place) => {
      await renderOpenCheckout();
      render(orderCard(backend.reference));
      elapseWidgetTime();
      press('Close the checkout');
      await gone();
      expect(document.activeElement).toBe(button());
      if (place === 'body') act(() => button().blur());
      backend.answers[backend.reference] = { progress: 'finished' };
      await waitFor(() => expect(document.activeElement).toBe(card()), { timeout: 10_000 });
      await waitFor(() => expect(getDescription(card())).toMatch(/^Delivered/));
      expect(await findAxeViolations(document.body)).toEqual([]);
      act(() => card()?.blur());
      expect(card()?.getAttributeNames()).not.toContain('tabindex');
    },
    15_000,
  );

  it('leaves the focus where the shopper moved it meanwhile', async () => {
    await renderOpenCheckout();
    render(orderCard(backend.reference));
    render(<a href="#next">Next</a>);
    elapseWidgetTime();
    press('Close the checkout');
    await gone();
    const next = screen.getByText('Next');
    act(() => next.focus());
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    backend.answers[backend.reference] = { progress: 'finished' };
    await waitFor(() => expect(scroll.mock.contexts).toEqual([card()]), { timeout: 10_000 });
    expect(document.activeElement).toBe(next);
  }, 15_000);

  it('stays beside the card of another checkout', async () => {
    backend.answers.other = { progress: 'finished' };
    await renderOpenCheckout();
    render(orderCard('other'));
    backend.answers[backend.reference] = { progress: 'finished' };
    elapseWidgetTime();
    press('Close the checkout');
    await gone();
    await waitFor(() => expect(card()?.dataset.state).toBe('finished'));
    await waitFor(() => expect(notice()?.textContent).toMatch(/^Delivered/));
  });

  it('is removed by the next checkout, and is not shown when a payment was impossible', async () => {
    await renderOpenCheckout();
    press('Close the checkout');
    await gone();
    expect(notice()?.textContent).toBe('');
    expect(notice()?.getBoundingClientRect().height).toBe(0);
    elapseWidgetTime();
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    elapseWidgetTime(11_000);
    press('Close the checkout');
    await gone();
    expect(notice()?.textContent).not.toBe('');
    act(() => button().click());
    await waitFor(() => expect(notice()?.textContent).toContain('Have you already paid?'));
    press('Start a new checkout');
    expect(notice()?.textContent ?? '').toBe('');
  });
});
