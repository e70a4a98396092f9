import { useLocale } from '../locale/Locale.js';

interface SummaryProps {
  readonly paid: string;
  /** Unknown for a moment while the price is on its way. */
  readonly got: string | undefined;
  readonly network: string | undefined;
}

/** What was chosen on the first screen; it stays in its place while one pays. */
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
