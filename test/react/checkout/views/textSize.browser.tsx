import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accelerateTime } from '../../../support/browser/accelerateTime.js';
import { continueBackend, renderOpenCheckout } from '../../../support/browser/continueBackend.js';
import { fakePopup } from '../../../support/browser/fakePopup.js';
import { gone, notice, press } from '../../../support/browser/newWindowPage.js';
import { button, dialog, renderButton } from '../../../support/browser/onRampButtonPage.js';

let backend: ReturnType<typeof continueBackend>;
beforeEach(() => {
  backend = continueBackend();
  backend.answers[backend.reference] = {};
});
afterEach(() => {
  document.documentElement.style.fontSize = '';
});

const shown = (within: Element | null | undefined) =>
  [...(within?.querySelectorAll<HTMLElement>('*') ?? [])].filter((each) => each.checkVisibility());
/** Returns the sizes of all elements that have text of their own, in pixels. */
const textSizes = (within: Element | null) =>
  shown(within)
    .filter((each) => [...each.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE))
    .map((each) => Number.parseFloat(getComputedStyle(each).fontSize));
const targets = (within: Element | null) =>
  shown(within)
    .filter((each) => each.matches('button, a'))
    .map((each) => each.getBoundingClientRect());

async function showSlowDialog() {
  vi.spyOn(HTMLIFrameElement.prototype, 'addEventListener').mockReturnValue();
  accelerateTime();
  renderButton({ api: '/api/ramp' });
  act(() => button().click());
  await waitFor(() => expect(dialog()?.dataset.state).toBe('slow'));
}

/** The states whose texts and targets are measured. Each function shows one state and returns the element with it. */
const states: Record<string, () => Promise<Element | null>> = {
  async 'a dialog that does not load'() {
    await showSlowDialog();
    return dialog();
  },
  async 'a question'() {
    await showSlowDialog();
    const slowAt = performance.now();
    await waitFor(() => expect(performance.now() - slowAt).toBeGreaterThan(5500));
    press('Open in a new window');
    return dialog();
  },
  async 'an outcome'() {
    accelerateTime();
    await renderOpenCheckout();
    backend.answers[backend.reference] = { progress: 'finished' };
    await screen.findByRole('button', { name: 'Back to the shop' });
    return dialog();
  },
  async 'a hint'() {
    accelerateTime();
    await renderOpenCheckout();
    await screen.findByRole('button', { name: /^Nothing here/ });
    return dialog();
  },
  async 'the notice about a window'() {
    vi.spyOn(window, 'open').mockImplementation(() => fakePopup() as never);
    renderButton({ display: 'window', api: '/api/ramp' });
    act(() => button().click());
    await screen.findByRole('button', { name: 'Show the checkout window' });
    return notice();
  },
  async 'the notice with "Continue"'() {
    accelerateTime();
    await renderOpenCheckout();
    const openedAt = performance.now();
    await waitFor(() => expect(performance.now() - openedAt).toBeGreaterThan(5500));
    press('Close the checkout');
    await gone();
    await screen.findByRole('button', { name: 'Continue' });
    return notice();
  },
};

describe.each(Object.entries(states))('%s', (_, show) => {
  it('has targets of at least 44 px and texts of at least 12 px, also in a page of small texts', async () => {
    document.documentElement.style.fontSize = '8px';
    const element = await show();
    expect(targets(element).length).toBeGreaterThan(0);
    for (const { width, height } of targets(element)) {
      expect(height).toBeGreaterThanOrEqual(44);
      expect(width).toBeGreaterThanOrEqual(44);
    }
    for (const size of textSizes(element)) expect(size).toBeGreaterThanOrEqual(12);
  });

  it('follows a text size of 200 %', async () => {
    document.documentElement.style.fontSize = '32px';
    for (const size of textSizes(await show())) expect(size).toBeGreaterThanOrEqual(24);
  });
});

describe('the link of an error note', () => {
  it('is a target of at least 44 px', async () => {
    renderButton({ signer: () => Promise.reject(new Error('no')) });
    act(() => button().click());
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(retry.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  });
});
