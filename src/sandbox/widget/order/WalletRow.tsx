import { useLocale } from '../locale/Locale.js';
import { shortenMiddle } from '../locale/shortenMiddle.js';
import { SumRow } from '../price/SumRow.js';

/** Renders the wallet of a receipt. */
export function WalletRow({ address }: { address: string }) {
  const { t } = useLocale();
  return (
    <SumRow label={t('wallet')}>
      <bdi className="code" title={address}>
        {shortenMiddle(address)}
      </bdi>
    </SumRow>
  );
}
