import type { CatalogFiatCurrency } from '../../catalog/fiatCurrencies.js';
import { useLocale } from '../locale/Locale.js';

/** Shows that no currency of the URL is available. */
export function OfferUnavailable({ fiats }: { fiats: readonly CatalogFiatCurrency[] }) {
  const { t } = useLocale();
  return (
    <section>
      <h1>{t('unavailable')}</h1>
      <p className="lead">{t(fiats.length === 0 ? 'fiatUnavailable' : 'cryptoUnavailable')}</p>
    </section>
  );
}
