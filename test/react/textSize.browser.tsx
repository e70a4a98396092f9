import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { CheckoutStatus, NftCard, OnRampButton, RampProvider } from '../../src/index.js';
import { waitForDialog, widgetUrl } from '../support/browser/onRampButtonPage.js';
import { createQuoteResponse, lists, quoteBackend } from '../support/browser/quoteBackend.js';
import { expectState, hundred, renderPreview, root } from '../support/browser/quotePreviewPage.js';
import { createCheckoutResponse, createPollResponse } from '../support/browser/statusBackend.js';

const { documentElement: html, body } = document;
afterEach(() => {
  html.style.fontSize = '';
  body.style.fontFamily = '';
  document.querySelector('dialog')?.remove();
});

/** Renders the cards and opens the dialog, so that the page has every kind of text. */
async function renderAll(): Promise<void> {
  const paid = createCheckoutResponse({ progress: 'finished' } as never);
  quoteBackend(({ route, query }) =>
    route === '/checkouts'
      ? { params: { signature: 's' }, ...createPollResponse(paid) }
      : (lists[route] ?? createQuoteResponse(query)),
  );
  renderPreview({ defaultValue: hundred, presetAmounts: ['50', '100'] });
  render(
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
      <CheckoutStatus reference="r1" />
      <NftCard
        name="Survey"
        collection="Fieldnotes"
        price="1"
        currency="ETH"
        fiatPrice="About 3,000 USD"
        maxQuantity={3}
        button={{ type: 'MINT', mintQuantity: 1 }}
      />
      <OnRampButton>Open</OnRampButton>
    </RampProvider>,
  );
  await expectState('success');
  await waitFor(() => expect(document.querySelector('.ramp-status-title')).not.toBeNull());
  await userEvent.click(screen.getByText('Price breakdown'));
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await waitForDialog();
}

/** Returns the size of each text of the page in pixels, by its position in the document. */
function measureTexts(): ReadonlyMap<string, number> {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const sizes = new Map<string, number>();
  for (let index = 0; walker.nextNode(); index++) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent?.trim();
    if (text && element?.checkVisibility() && !element.closest('style, script'))
      sizes.set(`${index} ${text}`, Number.parseFloat(getComputedStyle(element).fontSize));
  }
  for (const input of document.querySelectorAll('input:not([type="radio"])'))
    sizes.set(`input ${input.id}`, Number.parseFloat(getComputedStyle(input).fontSize));
  return sizes;
}

describe('the text of the components', () => {
  it('is never below 12 px, and doubles with the text size of the browser', async () => {
    await renderAll();
    const usual = measureTexts();
    expect(usual.size).toBeGreaterThan(40);
    const small = [...usual].filter(([, size]) => size < 12);
    expect(small).toEqual([]);
    html.style.fontSize = '200%';
    const large = measureTexts();
    // The size of an amount also depends on the width of its column.
    const unchanged = [...usual].filter(
      ([text, size]) =>
        Math.abs((large.get(text) ?? 0) / size - 2) > 0.08 && !/^\d+ (?:≈|97\.09)$/.test(text),
    );
    expect(unchanged).toEqual([]);
  });
});

describe('an amount in <QuotePreview />', () => {
  it.each([
    ['97.09000000', 'USDT_ERC20'],
    ['123456.78901234', 'USDT_ERC20'],
    ['0.00000012345678', 'ETH'],
    ['1234567890123.1', 'ETH'],
  ])('stays on one line within its column: %s %s', async (arrives, cryptoCurrencyCode) => {
    quoteBackend(({ route, query }) => lists[route] ?? createQuoteResponse(query, arrives));
    const fonts = ['monospace', 'DejaVu Sans, Verdana, sans-serif', 'sans-serif'];
    renderPreview({ defaultValue: { ...hundred, cryptoCurrencyCode } });
    await expectState('success');
    const result = root().querySelector('.ramp-quote-result') as HTMLElement;
    for (const font of fonts)
      for (const width of [260, 300, 360, 440]) {
        body.style.fontFamily = font;
        root().style.width = `${width}px`;
        const range = document.createRange();
        range.selectNodeContents(result);
        const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
        const place = `${font} at ${width} px`;
        expect([place, lines.size]).toEqual([place, 1]);
        const fits = range.getBoundingClientRect().width <= result.clientWidth + 0.5;
        expect([place, fits]).toEqual([place, true]);
      }
    root().style.width = '';
  });
});
