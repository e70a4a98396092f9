import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';
import {
  buy,
  expectState,
  field,
  hundred,
  method,
  pill,
  renderPreview,
} from '../../support/browser/quotePreviewPage.js';

const search = () => screen.getByRole<HTMLInputElement>('combobox');
const list = () => screen.queryByRole('listbox');
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent?.slice(1));
const active = () =>
  document
    .getElementById(search().getAttribute('aria-activedescendant') ?? '')
    ?.textContent?.slice(1);
const openList = async (code: string) => {
  await userEvent.click(pill(code));
  await waitFor(() => expect(document.activeElement).toBe(search()));
};

describe('the list of currencies in <QuotePreview />', () => {
  const onValueChange = vi.fn();
  beforeEach(async () => {
    await page.viewport(800, 900);
    onValueChange.mockClear();
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, onValueChange });
    await expectState('success');
  });

  it('opens with the focus in its search field and the selected option marked', async () => {
    await openList('USDT');
    // Browsers let Tab stop at an element that scrolls. Here it must not, because the arrow keys of the search field
    // already move through the list.
    expect(list()?.tabIndex).toBe(-1);
    expect(list()?.hasAttribute('tabindex')).toBe(true);
    expect(pill('USDT').getAttribute('aria-expanded')).toBe('true');
    expect(search().getAttribute('aria-controls')).toBe(list()?.id);
    expect(options()).toEqual(['USDTEthereum', 'USDTTron', 'ETHEthereum']);
    expect(active()).toBe('USDTEthereum');
    expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
    expect(await findAxeViolations(document.body)).toEqual([]);
  });

  it('moves through its options with arrows, Home and End, and wraps around', async () => {
    await openList('USDT');
    const walk: [string, string][] = [
      ['{ArrowDown}', 'USDTTron'],
      ['{End}', 'ETHEthereum'],
      ['{ArrowDown}', 'USDTEthereum'],
      ['{ArrowUp}', 'ETHEthereum'],
      ['{Home}', 'USDTEthereum'],
      ['{PageDown}', 'ETHEthereum'],
      ['{PageUp}', 'USDTEthereum'],
    ];
    for (const [key, at] of walk) {
      await userEvent.keyboard(key);
      expect([key, active()]).toEqual([key, at]);
    }
  });

  it.each(['tron', 'TRC20', ' Tron '])(
    'finds an option by %j and selects it with Enter',
    async (typed) => {
      await openList('USDT');
      await userEvent.keyboard(typed);
      expect(options()).toEqual(['USDTTron']);
      await userEvent.keyboard('{Enter}');
      expect(list()).toBeNull();
      expect(document.activeElement).toBe(pill('USDT Tron'));
      expect(onValueChange).toHaveBeenLastCalledWith({
        amount: '100',
        fiatCurrency: 'USD',
        cryptoCurrencyCode: 'USDT_TRC20',
        payment: 'CREDIT_DEBIT_CARD',
      });
    },
  );

  it('lists options that start with the search text before options that contain it', async () => {
    await openList('USDT');
    await userEvent.keyboard('eth');
    expect(options()).toEqual(['ETHEthereum', 'USDTEthereum']);
  });

  it('shows a message without a match, and Enter selects no option', async () => {
    await openList('USD US');
    await userEvent.keyboard('zzz');
    expect(screen.queryAllByRole('option')).toEqual([]);
    expect(screen.getByText('No currency found')).toBeTruthy();
    await userEvent.keyboard('{ArrowDown}{ArrowUp}{Enter}');
    expect(onValueChange).not.toHaveBeenCalled();
    expect(list()).not.toBeNull();
  });

  it('closes with Escape, returns the focus, and hides the key from a dialog around it', async () => {
    const listener = vi.fn();
    document.addEventListener('keydown', listener);
    await openList('USDT');
    await userEvent.keyboard('{Escape}');
    document.removeEventListener('keydown', listener);
    expect(list()).toBeNull();
    expect(document.activeElement).toBe(pill('USDT'));
    expect(listener).not.toHaveBeenCalledWith(expect.objectContaining({ key: 'Escape' }));
  });

  it('closes with Escape from any element in it, and hides that key from a dialog too', async () => {
    const listener = vi.fn();
    document.addEventListener('keydown', listener);
    // At 360 px, Tab moves the focus to the list's close button. At 800 px, Shift+Tab moves the focus to the pill.
    for (const [width, key] of [
      [360, '{Tab}'],
      [800, '{Shift>}{Tab}{/Shift}'],
    ] as const) {
      await page.viewport(width, 640);
      await openList('USDT');
      await userEvent.keyboard(`${key}{Escape}`);
      expect(list()).toBeNull();
      expect(document.activeElement).toBe(pill('USDT Ethereum'));
    }
    document.removeEventListener('keydown', listener);
    expect(listener.mock.calls.filter(([event]) => event.key === 'Escape')).toEqual([]);
  });

  it('activates the option under the pointer for Enter', async () => {
    await openList('USDT');
    await userEvent.hover(screen.getByRole('option', { name: /Tron/ }));
    await userEvent.keyboard('{Enter}');
    expect(onValueChange).toHaveBeenLastCalledWith(
      expect.objectContaining({ cryptoCurrencyCode: 'USDT_TRC20' }),
    );
  });

  it('closes on a click outside, and returns the focus unless the click was on a control', async () => {
    await openList('USDT');
    await userEvent.click(document.querySelector('.ramp-quote-divider') as Element);
    expect(list()).toBeNull();
    expect(document.activeElement).toBe(pill('USDT'));
    await openList('USDT');
    await userEvent.click(field());
    expect(list()).toBeNull();
    expect(document.activeElement).toBe(field());
  });

  it('closes on a second click on its pill, and when the focus moves on', async () => {
    await openList('USDT');
    await userEvent.click(pill('USDT'));
    expect(list()).toBeNull();
    await openList('USD US');
    field().focus();
    await waitFor(() => expect(list()).toBeNull());
    expect(document.activeElement).toBe(field());
  });

  it('selects an option by pointer', async () => {
    await openList('USD US');
    await userEvent.click(screen.getByRole('option', { name: /Euro/ }));
    expect(document.activeElement).toBe(pill('EUR'));
    expect(onValueChange).toHaveBeenLastCalledWith(
      expect.objectContaining({ fiatCurrency: 'EUR' }),
    );
  });

  it('fills the screen of a phone, with a close button', async () => {
    await page.viewport(360, 640);
    await openList('USDT');
    const box = document.querySelector('.ramp-quote-list')?.getBoundingClientRect();
    expect(box).toMatchObject({ x: 0, y: 0, width: 360, height: 640 });
    await userEvent.click(screen.getByRole('button', { name: 'Close the list' }));
    expect(list()).toBeNull();
    expect(document.activeElement).toBe(pill('USDT'));
  });

  it('has targets of at least 44 pixels', async () => {
    await openList('USDT');
    const targets = [pill('USD US'), search(), buy(), ...screen.getAllByRole('option')];
    const cards = [...document.querySelectorAll('.ramp-quote-method, summary')];
    for (const target of [...targets, ...cards])
      expect(target.getBoundingClientRect().height, target.outerHTML).toBeGreaterThanOrEqual(44);
  });
});

it('<QuotePreview /> works by keyboard alone', async () => {
  const { quotes } = quoteBackend(respondToAll);
  renderPreview();
  await expectState('idle');
  await userEvent.tab();
  expect(document.activeElement).toBe(field());
  await userEvent.keyboard('150');
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(search()));
  await userEvent.keyboard('eur{Enter}');
  expect(document.activeElement).toBe(pill('EUR'));
  await userEvent.tab();
  expect(document.activeElement).toBe(pill('USDT'));
  await userEvent.tab();
  await userEvent.keyboard(' ');
  expect(method('Credit or debit card').checked).toBe(true);
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(document.querySelector('details')?.open).toBe(true);
  await userEvent.tab();
  await waitFor(() => expect(document.activeElement).toBe(buy()));
  await expectState('success');
  expect(quotes().at(-1)?.query).toEqual({
    fiatCurrency: 'EUR',
    currencyAmount: '150',
    cryptoCurrencyCode: 'USDT_ERC20',
    payment: 'CREDIT_DEBIT_CARD',
  });
});
