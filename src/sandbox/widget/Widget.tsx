import { type ReactNode, useMemo, useState } from 'react';
import type { OrderProgress } from '../order-progress.js';
import type { SessionData } from '../session-data.js';
import { AmountForm } from './AmountForm.js';
import type { CheckoutService } from './CheckoutService.js';
import { DetailsForm } from './DetailsForm.js';
import { locale } from './locale.js';
import { NothingOffered } from './NothingOffered.js';
import { orderAmounts } from './order-amounts.js';
import { Progress } from './Progress.js';
import { Receipt } from './Receipt.js';
import { Summary } from './Summary.js';
import { SumRow } from './SumRow.js';
import { useProgress } from './useProgress.js';
import { type Purchase, usePurchase } from './usePurchase.js';
import { useQuote } from './useQuote.js';
import { WalletRow } from './WalletRow.js';
import { WidgetPage, type WidgetState } from './WidgetPage.js';

export interface WidgetProps {
  readonly session: SessionData;
  readonly service: CheckoutService;
}

/** What is asked for once it is paid. */
const nothing: Purchase['request'] = {
  fiatCurrency: undefined,
  currencyAmount: undefined,
  cryptoCurrencyCode: undefined,
};

/** The hosted checkout: amount, payment, then the order until it is finished. */
export function Widget({ session, service }: WidgetProps) {
  const words = useMemo(() => locale(session.language), [session.language]);
  const { t, formats } = words;
  const [step, setStep] = useState<'amount' | 'details'>('amount');
  const [moved, setMoved] = useState(false);
  const [placed, setPlaced] = useState<OrderProgress>();
  const purchase = usePurchase(session, formats);
  const price = useQuote(service, placed ? nothing : purchase.request);
  const order = useProgress(service, placed);

  const go = (to: typeof step) => {
    setMoved(true);
    setStep(to);
  };
  const screen = (): [state: WidgetState, content: ReactNode] => {
    if (session.fiats.length === 0 || session.cryptos.length === 0)
      return ['refused', <NothingOffered key="nothing" fiats={session.fiats} />];
    if (order) {
      const amounts = orderAmounts(formats, purchase, order);
      if (order.step !== 'finished')
        return [
          'paying',
          <Progress key="progress" order={order} delivery={['sending', 'delivered']}>
            <Summary {...amounts} />
          </Progress>,
        ];
      const { paid, got = '', network } = amounts;
      return [
        'finished',
        <Receipt key="receipt" order={order} paid={paid} arrived={t('sent', { amount: got })}>
          {order.walletAddress && <WalletRow address={order.walletAddress} />}
          <SumRow label={t('network')}>{network}</SumRow>
        </Receipt>,
      ];
    }
    const shared = { session, purchase, price };
    return [
      'form',
      step === 'amount' ? (
        <AmountForm key={step} {...shared} takesFocus={moved} onDone={() => go('details')} />
      ) : (
        <DetailsForm
          key={step}
          {...shared}
          service={service}
          onBack={() => go('amount')}
          onPlaced={setPlaced}
        />
      ),
    ];
  };
  const [state, content] = screen();
  return (
    <WidgetPage
      words={words}
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
