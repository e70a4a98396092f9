import { type ReactNode, useMemo, useState } from 'react';
import type { OnRampPageData } from '../../checkout/pageData.js';
import type { OrderProgress } from '../../orders.js';
import type { CheckoutClient } from '../checkoutClient.js';
import { createLocale } from '../locale.js';
import { OrderSteps, Receipt, Summary, useOrderProgress, WalletRow } from '../order.js';
import { SumRow } from '../price.js';
import { OfferUnavailable, WidgetPage, type WidgetState } from '../WidgetPage.js';
import { AmountForm } from './AmountForm.js';
import { DetailsForm } from './DetailsForm.js';
import {
  formatOrderAmounts,
  type PurchaseDraft,
  useOnRampQuote,
  usePurchase,
} from './usePurchase.js';

export interface OnRampWidgetProps {
  readonly session: OnRampPageData;
  readonly client: CheckoutClient;
}

/** The quote request once the order is placed. It is empty, so that no further quotes are requested. */
const nothing: PurchaseDraft['request'] = {
  fiatCurrency: undefined,
  currencyAmount: undefined,
  cryptoCurrencyCode: undefined,
};

/** Renders the hosted on-ramp checkout: the amount, the payment, then the order until it is finished. */
export function OnRampWidget({ session, client }: OnRampWidgetProps) {
  const locale = useMemo(() => createLocale(session.language), [session.language]);
  const { t, formats } = locale;
  const [step, setStep] = useState<'amount' | 'details'>('amount');
  const [moved, setMoved] = useState(false);
  const [placed, setPlaced] = useState<OrderProgress>();
  const purchase = usePurchase(session, formats);
  const price = useOnRampQuote(client, placed ? nothing : purchase.request);
  const order = useOrderProgress(client, placed);

  const showStep = (to: typeof step) => {
    setMoved(true);
    setStep(to);
  };
  const renderScreen = (): [state: WidgetState, content: ReactNode] => {
    if (session.fiats.length === 0 || session.cryptos.length === 0)
      return ['refused', <OfferUnavailable key="unavailable" fiats={session.fiats} />];
    if (order) {
      const amounts = formatOrderAmounts(formats, purchase, order, true);
      if (order.step !== 'finished')
        return [
          'paying',
          <OrderSteps key="progress" order={order} delivery={['sending', 'delivered']}>
            <Summary {...amounts} />
          </OrderSteps>,
        ];
      const { paid, got = '', network } = amounts;
      return [
        'finished',
        <Receipt
          key="receipt"
          order={order}
          paid={paid}
          arrived={t('amountDelivered', { amount: got })}
        >
          {order.walletAddress && <WalletRow address={order.walletAddress} />}
          <SumRow label={t('network')}>{network}</SumRow>
        </Receipt>,
      ];
    }
    const shared = { session, purchase, price };
    return [
      'form',
      step === 'amount' ? (
        <AmountForm key={step} {...shared} takesFocus={moved} onDone={() => showStep('details')} />
      ) : (
        <DetailsForm
          key={step}
          {...shared}
          client={client}
          onBack={() => showStep('amount')}
          onPlaced={setPlaced}
        />
      ),
    ];
  };
  const [state, content] = renderScreen();
  return (
    <WidgetPage
      locale={locale}
      title={t('buy')}
      widget="on-ramp"
      state={state}
      step={order?.step ?? step}
      notices={session.notices}
    >
      {content}
    </WidgetPage>
  );
}
