import type { SandboxQuote } from '../../catalog/pricing.js';
import { useLocale } from '../locale/Locale.js';
import { SumRow } from './SumRow.js';

interface FeesProps {
  readonly quote: SandboxQuote | undefined;
  readonly digits: number;
}

/** Shows the fees of the purchase in the payment currency. */
export function Fees({ quote, digits }: FeesProps) {
  const { t, formats } = useLocale();
  const renderRow = (label: string, amount: string | undefined, className?: string) => (
    <SumRow label={label} className={className}>
      {quote && amount ? <bdi>{formats.money(amount, quote.fiatCurrency, digits)}</bdi> : '–'}
    </SumRow>
  );
  return (
    <dl className="breakdown">
      {renderRow(t('gasFee'), quote?.gasFee)}
      {renderRow(t('platformFee'), quote?.platformFee)}
      {renderRow(t('totalFee'), quote?.totalFee, 'total')}
    </dl>
  );
}
