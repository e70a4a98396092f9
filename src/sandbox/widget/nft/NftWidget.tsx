import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { NftPageData } from '../../checkout/pageData.js';
import type { OrderProgress } from '../../orders.js';
import type { NftCheckoutClient } from '../client/CheckoutClient.js';
import { createLocale } from '../locale/Locale.js';
import { useOrderProgress } from '../order/useOrderProgress.js';
import { OfferUnavailable } from '../page/OfferUnavailable.js';
import { WidgetPage, type WidgetState } from '../page/WidgetPage.js';
import { NftDetailsForm } from './NftDetailsForm.js';
import { NftForm } from './NftForm.js';
import { NftOrder } from './NftOrder.js';
import { useNftPurchase } from './useNftPurchase.js';
import { useNftQuote } from './useNftQuote.js';

export interface NftWidgetProps {
  readonly session: NftPageData;
  readonly client: NftCheckoutClient;
}

/** Renders the hosted NFT checkout: the offer, the payment, then the order until the NFT is in the wallet. */
export function NftWidget({ session, client }: NftWidgetProps) {
  const words = useMemo(() => createLocale(session.language), [session.language]);
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
      words={words}
      title={words.t('buyNft')}
      widget="nft"
      state={state}
      step={order?.step ?? step}
      notices={session.notices}
    >
      {content}
    </WidgetPage>
  );
}
