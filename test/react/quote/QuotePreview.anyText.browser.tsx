import { cleanup, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createQuoteResponse, lists, quoteBackend } from '../../support/browser/quoteBackend.js';
import { renderPreview, root } from '../../support/browser/quotePreviewPage.js';

/** Texts that a listing of the service may have in any field. */
const texts = {
  nothing: '',
  spaces: ' \n\t',
  markup: '<img src=x onerror="document.body.dataset.hacked=1"><b>bold</b>',
  script: 'javascript:document.body.dataset.hacked=1',
  'a name of every object': 'constructor',
  'the prototype': '__proto__',
  'another direction': '\u202eUSD\u2066 عملة',
  'half a character': '\ud83d',
  long: 'x'.repeat(5000),
};

/** The fields of a listing that have a text. */
const fields = [
  ['/currencies', 'currencies', 'fiatCurrency'],
  ['/currencies', 'currencies', 'name'],
  ['/currencies', 'currencies', 'icon'],
  ['/cryptocurrencies', 'cryptoCurrencies', 'cryptoCurrencyCode'],
  ['/cryptocurrencies', 'cryptoCurrencies', 'cryptoCurrency'],
  ['/cryptocurrencies', 'cryptoCurrencies', 'network'],
  ['/cryptocurrencies', 'cryptoCurrencies', 'icon'],
] as const;

/** Returns a list with a text in a field of its first currency. */
function withText(route: string, list: string, field: string, text: string): unknown {
  const body = structuredClone(lists[route]) as Record<string, Record<string, unknown>[]>;
  Object.assign(body[list]?.[0] ?? {}, { [field]: text });
  return body;
}

/** Renders the card, and returns its state once it has settled. */
async function settle(respond: Parameters<typeof quoteBackend>[0]): Promise<string | undefined> {
  quoteBackend(respond);
  renderPreview({
    defaultValue: { amount: '100' },
    presetAmounts: { USD: ['50'] },
    walletChains: ['ethereum', 'tron'],
  });
  await waitFor(() => expect(root().dataset.state).toMatch(/^(success|error|empty|unavailable)$/));
  return root().dataset.state;
}

describe('<QuotePreview /> with a listing', () => {
  it.each(Object.entries(texts))('is shown with %s in any field', async (_, text) => {
    vi.spyOn(console, 'warn').mockReturnValue();
    vi.spyOn(console, 'error').mockReturnValue();
    for (const [route, list, field] of fields) {
      const state = await settle((request) =>
        request.respond(
          request.route === '/quote'
            ? createQuoteResponse(request.query)
            : request.route === route
              ? withText(route, list, field, text)
              : lists[request.route],
        ),
      );
      expect(state, field).toBe('success');
      expect(document.body.dataset.hacked).toBeUndefined();
      expect(document.querySelector('.ramp-quote :is(b, script, [href^="javascript"])')).toBeNull();
      cleanup();
    }
  });
});
