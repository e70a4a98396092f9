import type { QuoteForm } from '../../../client/quote/QuoteForm.js';
import type { QuoteTexts } from '../../../client/quote/quoteTexts.js';
import { compareAmounts, isDecimal } from '../../../protocol/decimals.js';

/** Buttons that enter an amount. Until the limits are known, an empty element takes up their space. */
export function PresetAmounts({ form, texts }: { form: QuoteForm; texts: QuoteTexts }) {
  const { fiat, amount, presets, change } = form;
  if (!fiat) return <div className="ramp-quote-presets" aria-hidden="true" />;
  if (presets.length === 0) return null;
  return (
    <fieldset className="ramp-quote-presets" aria-label={texts.messages.suggestedAmounts}>
      {presets.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={isDecimal(amount) && compareAmounts(amount, preset) === 0}
          onClick={() => change({ amount: preset })}
        >
          <span>{texts.formats.number(preset)}</span>
          <span className="ramp-visually-hidden">{`\u00a0${fiat.fiatCurrency}`}</span>
        </button>
      ))}
    </fieldset>
  );
}
