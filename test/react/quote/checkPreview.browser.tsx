import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';
import { field, renderPreview } from '../../support/browser/quotePreviewPage.js';

const warnings = () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  return () => warn.mock.calls.map(([text]) => text as string);
};

describe('checkPreview', () => {
  it.each([
    [{ amount: 100 }, /amount is 100, .* the field is empty\. Write it as text: amount: '100'\./],
    [{ amount: '1,234' }, /amount is "1,234", which is not a decimal string/],
    [{ cryptoCurrencyCode: 'USDT' }, /USDT is not offered, so USDT_ERC20 .* mean USDT_ERC20\?/],
    [{ fiatCurrency: 'EURO' }, /EURO is not offered, so USD is shown instead\. .* mean EUR\?/],
    [{ fiatCurrency: 'XTS' }, /XTS is not offered, so USD is shown instead\.$/],
  ])('warns about %j', async (defaultValue, text) => {
    const printed = warnings();
    quoteBackend(respondToAll);
    renderPreview({ defaultValue: defaultValue as never });
    await waitFor(() => expect(printed()).toEqual([expect.stringMatching(text)]));
  });

  it('warns about a locale that the browser does not know, and shows the card in English', async () => {
    const printed = warnings();
    quoteBackend(respondToAll);
    renderPreview({ locale: 'Deutsch!', defaultValue: { amount: '1500.5' } });
    await waitFor(() =>
      expect(printed()).toEqual([expect.stringMatching(/locale is "Deutsch!", .* in English/)]),
    );
    expect(field().value).toBe('1500.5');
  });

  it('warns about a preset amount that cannot be shown', async () => {
    const printed = warnings();
    quoteBackend(respondToAll);
    renderPreview({ presetAmounts: { USD: ['50', 100 as never] } });
    await waitFor(() =>
      expect(printed()).toEqual([expect.stringMatching(/presetAmounts has 100, which is not/)]),
    );
  });

  it.each([
    [['etherum'], /walletChains has "etherum", and no coin .* mean ethereum\?/],
    [['ethereum_mainnet'], /walletChains has "ethereum_mainnet", .* mean ethereum\?/],
  ])('suggests the chain for %j', async (walletChains, text) => {
    const printed = warnings();
    quoteBackend(respondToAll);
    renderPreview({ walletChains });
    await waitFor(() => expect(printed()).toEqual([expect.stringMatching(text)]));
  });

  it('does not warn about wallets on chains that the service does not sell', async () => {
    const printed = warnings();
    const { quotes } = quoteBackend(respondToAll);
    renderPreview({ defaultValue: { amount: '50' }, walletChains: ['ethereum', 'dogecoin'] });
    await waitFor(() => expect(quotes()).toHaveLength(1));
    expect(printed()).toEqual([]);
  });

  it('suggests the prop for a misspelt name', async () => {
    const printed = warnings();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    quoteBackend(respondToAll);
    renderPreview({ defaultvalue: { amount: '100' } } as never);
    await waitFor(() => expect(printed()).toHaveLength(1));
    expect(printed()[0]).toMatch(/Unknown prop defaultvalue: did you mean defaultValue\?/);
  });

  it('does not warn about available currencies', async () => {
    const printed = warnings();
    const { quotes } = quoteBackend(respondToAll);
    renderPreview({
      defaultValue: { amount: '50', fiatCurrency: 'EUR', cryptoCurrencyCode: 'ETH' },
    });
    await waitFor(() => expect(quotes()).toHaveLength(1));
    expect(printed()).toEqual([]);
  });
});
