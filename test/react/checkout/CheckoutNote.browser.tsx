import { act, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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
  sessionStorage.clear();
  backend = continueBackend();
  backend.answers[backend.reference] = {};
});

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
    expect(notice()?.textContent ?? '').toBe('');
  });
});
