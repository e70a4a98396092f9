import { OnRampButton } from '../../src/index.js';
import { createPriceFormats, type QuotePreviewOptions, useQuotePreview } from '../../src/quotes.js';

const { money, coin } = createPriceFormats('en');

/** A form of the page's own with the rules of the price card, on `useQuotePreview`. */
export function OwnPriceForm(options: QuotePreviewOptions) {
  const form = useQuotePreview(options);
  const { status, selection, data: quote, limit, fiat, crypto, change } = form;
  const isPriced = quote && !form.isPrevious;
  return (
    <fieldset data-status={status} className="own-form">
      <label>
        {'Amount '}
        <input
          type="number"
          min="0"
          step="0.01"
          defaultValue={form.amount}
          onChange={({ target }) => change({ amount: target.value })}
        />
      </label>
      <select
        aria-label="Currency"
        value={fiat?.fiatCurrency ?? ''}
        onChange={({ target }) => change({ fiatCurrency: target.value })}
      >
        {form.fiatCurrencies.map(({ fiatCurrency }) => (
          <option key={fiatCurrency}>{fiatCurrency}</option>
        ))}
      </select>
      <select
        aria-label="Coin"
        value={crypto?.cryptoCurrencyCode ?? ''}
        onChange={({ target }) => change({ cryptoCurrencyCode: target.value })}
      >
        {form.cryptoCurrencies.map(({ cryptoCurrencyCode }) => (
          <option key={cryptoCurrencyCode}>{cryptoCurrencyCode}</option>
        ))}
      </select>
      <select
        aria-label="Payment method"
        value={form.method?.name ?? ''}
        onChange={({ target }) => change({ payment: target.value })}
      >
        {fiat?.paymentOptions.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <div className="own-form-presets">
        {form.presets.map((preset) => (
          <button key={preset} type="button" onClick={() => change({ amount: preset })}>
            {preset}
          </button>
        ))}
      </div>
      <output>
        {limit &&
          fiat &&
          `${status === 'below' ? 'At least' : 'At most'} ${money(limit, fiat.fiatCurrency)}`}
        {isPriced && `You get ${coin(quote.cryptoCurrencyAmount, quote.cryptoCurrency ?? '')}`}
      </output>
      {isPriced && (
        <OnRampButton
          amount={selection?.amount}
          defaultFiatCurrency={selection?.fiatCurrency}
          defaultCurrency={selection?.cryptoCurrencyCode}
        />
      )}
    </fieldset>
  );
}
