import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { NftPageData } from '../../checkout/pageData.js';
import type { OrderProgress } from '../../orders.js';
import type { NftCheckoutClient } from '../checkoutClient.js';
import { createLocale, useLocale } from '../locale.js';
import { OrderSteps, Receipt, Summary, useOrderProgress, WalletRow } from '../order.js';
import { SumRow } from '../price.js';
import { OfferUnavailable, WidgetPage, type WidgetState } from '../WidgetPage.js';
import { NftDetailsForm } from './NftDetailsForm.js';
import { NftForm } from './NftForm.js';
import { createNftTexts } from './nftTexts.js';
import { useNftPurchase, useNftQuote } from './useNftPurchase.js';

interface NftWidgetProps {
  readonly session: NftPageData;
  readonly client: NftCheckoutClient;
}

/** Renders the hosted NFT checkout: the offer, the payment, then the order until the NFT is in the wallet. */
export function NftWidget({ session, client }: NftWidgetProps) {
  const locale = useMemo(() => createLocale(session.language), [session.language]);
  const [step, setStep] = useState<'offer' | 'details'>('offer');
  const [moved, setMoved] = useState(false);
  const [placed, setPlaced] = useState(session.order);
  const purchase = useNftPurchase(session);
  const price = useNftQuote(client, placed ? undefined : purchase.fiat?.code);
  const order = useOrderProgress(client, placed);

  const showStep = useCallback((to: 'offer' | 'details') => {
    setMoved(true);
    setStep(to);
  }, []);
  const onDone = useCallback(() => showStep('details'), [showStep]);
  const onPlaced = (bought: OrderProgress) => {
    setMoved(true);
    setPlaced(bought);
  };
  const renderScreen = (): [state: WidgetState, content: ReactNode] => {
    if (order) {
      const state = order.step === 'finished' ? 'finished' : 'paying';
      const takesFocus = moved || order.step !== session.order?.step;
      return [
        state,
        <NftOrder key={state} session={session} order={order} takesFocus={takesFocus} />,
      ];
    }
    if (session.fiats.length === 0)
      return ['refused', <OfferUnavailable key="unavailable" fiats={session.fiats} />];
    const shared = { session, purchase, price };
    return [
      'form',
      step === 'offer' ? (
        <NftForm key={step} {...shared} takesFocus={moved} onDone={onDone} />
      ) : (
        <NftDetailsForm
          key={step}
          {...shared}
          client={client}
          onBack={() => showStep('offer')}
          onPlaced={onPlaced}
        />
      ),
    ];
  };
  const [state, content] = renderScreen();
  return (
    <WidgetPage
      locale={locale}
      title={locale.t('buyNft')}
      widget="nft"
      state={state}
      step={order?.step ?? step}
      notices={session.notices}
    >
      {content}
    </WidgetPage>
  );
}

interface NftOrderProps {
  readonly session: NftPageData;
  readonly order: OrderProgress;
  readonly takesFocus: boolean;
}

/**
 * Shows the progress of the order, then its receipt. The order may have been placed on an earlier visit to the same
 * URL.
 */
function NftOrder({ session, order, takesFocus }: NftOrderProps) {
  const locale = useLocale();
  const { t, formats } = locale;
  const { nft, crypto, price } = session;
  const { got, chain, delivery, arrived } = createNftTexts(locale, nft);
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
