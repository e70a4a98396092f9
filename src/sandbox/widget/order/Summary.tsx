import { useLocale } from '../locale/Locale.js';

interface SummaryProps {
  readonly paid: string;
  /** `undefined` while the price is loading. */
  readonly got: string | undefined;
  readonly network: string | undefined;
}

/** Shows the choices of the first screen. It stays in place during the payment. */
export function Summary({ paid, got, network }: SummaryProps) {
  const { t } = useLocale();
  return (
    <dl className="summary">
      <div>
        <dt>{t('youPay')}</dt>
        <dd>
          <bdi>{paid}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('youGet')}</dt>
        <dd>
          <bdi>{got ?? '–'}</bdi>
          <span className="caption">{network}</span>
        </dd>
      </div>
    </dl>
  );
}
