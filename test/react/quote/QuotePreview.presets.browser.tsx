import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { findAxeViolations } from '../../support/browser/findAxeViolations.js';
import { quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';
import {
  expectState,
  field,
  hundred,
  method,
  renderPreview,
  root,
} from '../../support/browser/quotePreviewPage.js';

const presets = () =>
  [...document.querySelectorAll<HTMLElement>('.ramp-quote-presets button')].map(
    (button) => `${button.textContent}${button.ariaPressed === 'true' ? ' *' : ''}`,
  );

describe('presetAmounts of <QuotePreview />', () => {
  it('enters an amount with one press, and keeps the focus', async () => {
    const { quotes } = quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, presetAmounts: ['50', '100.00', '250'] });
    await expectState('success');
    expect(presets()).toEqual(['50\u00a0USD', '100\u00a0USD *', '250\u00a0USD']);
    expect(screen.getByRole('group', { name: 'Suggested amounts' })).toBeTruthy();
    const button = screen.getByRole('button', { name: /^250\s+USD$/ });
    await userEvent.click(button);
    await expectState('success');
    expect(field().value).toBe('250');
    expect(presets()).toEqual(['50\u00a0USD', '100\u00a0USD', '250\u00a0USD *']);
    expect(document.activeElement).toBe(button);
    expect(quotes().map(({ query }) => query.currencyAmount)).toEqual(['100', '250']);
    expect(await findAxeViolations(root())).toEqual([]);
    for (const { offsetWidth, offsetHeight } of document.querySelectorAll<HTMLElement>(
      '.ramp-quote-presets button',
    ))
      expect(Math.min(offsetWidth, offsetHeight)).toBeGreaterThanOrEqual(44);
  });

  it('leaves out amounts that the payment method does not allow', async () => {
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: hundred, presetAmounts: ['10', '40', '6000'] });
    await expectState('success');
    expect(presets()).toEqual(['40\u00a0USD']);
    await userEvent.click(method('Bank card transfer'));
    expect(presets()).toEqual(['6,000\u00a0USD']);
  });

  it('has a list for each currency', async () => {
    quoteBackend(respondToAll);
    const presetAmounts = { USD: ['50'], EUR: ['60'] };
    renderPreview({ defaultValue: { ...hundred, fiatCurrency: 'EUR' }, presetAmounts });
    await expectState('success');
    expect(presets()).toEqual(['60\u00a0EUR']);
  });

  it('takes the same space while the currencies load', async () => {
    quoteBackend(() => undefined);
    renderPreview({ defaultValue: hundred, presetAmounts: ['50'] });
    const space = document.querySelector<HTMLElement>('.ramp-quote-presets');
    expect(space?.offsetHeight).toBe(44);
  });

  it('is not shown for the price of an NFT', async () => {
    quoteBackend();
    renderPreview({ buyType: 'nft', presetAmounts: ['50'] });
    await expectState('idle');
    expect(presets()).toEqual([]);
  });
});
