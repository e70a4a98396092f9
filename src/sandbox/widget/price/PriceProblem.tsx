import { useLocale } from '../locale/Locale.js';
import type { LiveQuote } from './useLiveQuote.js';

/** Shows why the price is missing, with a button that retries. */
export function PriceProblem({ price }: { price: LiveQuote }) {
  const { t } = useLocale();
  return (
    price.problem && (
      <p className="error" role="alert">
        {t(price.problem)}{' '}
        <button type="button" className="text-button" onClick={price.retry}>
          {t('retry')}
        </button>
      </p>
    )
  );
}
