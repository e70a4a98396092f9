import { compareAmounts, isDecimal } from '../../../protocol/decimals.js';
import type { QuotePreviewProps } from '../QuotePreview.js';
import type { QuoteCardView } from './quoteCardView.js';

type Presets = NonNullable<QuotePreviewProps['presetAmounts']>;

/** Returns the preset amounts of a fiat currency that are within the limits of the selected payment method. */
export const listPresets = (
  presets: Presets,
  fiatCurrency: string,
  findLimit: QuoteCardView['findLimit'],
): readonly string[] =>
  (isList(presets) ? presets : (presets[fiatCurrency] ?? [])).filter(
    (amount) => isDecimal(amount) && !findLimit(amount),
  );

const isList = (presets: Presets): presets is readonly string[] => Array.isArray(presets);

/** Buttons that enter an amount. Until the limits are known, an empty element takes up their space. */
export function PresetAmounts({ view, presets }: { view: QuoteCardView; presets: Presets }) {
  const { choice, amount, messages, formats, change } = view;
  if (!choice) return <div className="ramp-quote-presets" aria-hidden="true" />;
  const { fiatCurrency } = choice.fiat;
  const shown = listPresets(presets, fiatCurrency, view.findLimit);
  if (shown.length === 0) return null;
  return (
    <fieldset className="ramp-quote-presets" aria-label={messages.suggestedAmounts}>
      {shown.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={isDecimal(amount) && compareAmounts(amount, preset) === 0}
          onClick={() => change({ amount: preset })}
        >
          <span>{formats.number(preset)}</span>
          <span className="ramp-visually-hidden">{`\u00a0${fiatCurrency}`}</span>
        </button>
      ))}
    </fieldset>
  );
}
