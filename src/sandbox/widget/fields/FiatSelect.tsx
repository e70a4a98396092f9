import type { CatalogFiatCurrency } from '../../catalog/fiatCurrencies.js';
import { useLocale } from '../locale/Locale.js';
import { CurrencySelect } from './CurrencySelect.js';

interface FiatSelectProps {
  readonly fiats: readonly CatalogFiatCurrency[];
  readonly fiat: CatalogFiatCurrency | undefined;
  readonly describedBy?: string | undefined;
  readonly onChange: (code: string) => void;
}

/** Selects the payment currency from the currencies of the URL. */
export function FiatSelect({ fiats, fiat, describedBy, onChange }: FiatSelectProps) {
  const { t, lang } = useLocale();
  const names = new Intl.DisplayNames(lang, { type: 'currency' });
  return (
    <CurrencySelect
      label={t('paymentCurrency')}
      choices={fiats.map(({ code }) => ({
        code,
        symbol: code,
        name: `${code} – ${names.of(code)}`,
      }))}
      value={fiat?.code}
      describedBy={describedBy}
      onChange={onChange}
    />
  );
}
