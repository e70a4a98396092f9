import { useLocale } from '../locale/Locale.js';
import type { LiveQuote } from './useLiveQuote.js';

/** Why there is no price, with a way to ask again. */
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
