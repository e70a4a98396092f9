import { useLocale } from './locale.js';
import { SumRow } from './SumRow.js';
import { shortenMiddle } from './shortened.js';

/** The wallet of a receipt. */
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
