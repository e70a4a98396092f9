import type { NftPageData } from '../../checkout/pageData.js';
import type { OrderProgress } from '../../orders.js';
import { useLocale } from '../locale/Locale.js';
import { OrderSteps } from '../order/OrderSteps.js';
import { Receipt } from '../order/Receipt.js';
import { Summary } from '../order/Summary.js';
import { WalletRow } from '../order/WalletRow.js';
import { SumRow } from '../price/SumRow.js';
import { createNftTexts } from './createNftTexts.js';

interface NftOrderProps {
  readonly session: NftPageData;
  readonly order: OrderProgress;
  readonly takesFocus: boolean;
}

/** Shows the progress of the order, then its receipt. An earlier opening of the URL may have placed it. */
export function NftOrder({ session, order, takesFocus }: NftOrderProps) {
  const words = useLocale();
  const { t, formats } = words;
  const { nft, crypto, price } = session;
  const { got, chain, delivery, arrived } = createNftTexts(words, nft);
  const paid = formats.exact(order.currencyAmount, order.fiatCurrency);
  if (order.step !== 'finished')
    return (
      <OrderSteps order={order} delivery={delivery} takesFocus={takesFocus}>
        <Summary paid={paid} got={got} network={chain} />
      </OrderSteps>
    );
  return (
    <Receipt order={order} paid={paid} arrived={arrived} takesFocus={takesFocus}>
      <SumRow label={t('price')}>
        <bdi>{formats.exact(price, crypto.symbol)}</bdi>
      </SumRow>
      <WalletRow address={nft.transferWalletAddress} />
      <SumRow label={t('network')}>{chain}</SumRow>
    </Receipt>
  );
}
