import { useEffect, useMemo, useState } from 'react';
import type { OrderProgress } from '../order-progress.js';
import type { SessionData } from '../session-data.js';
import { AmountForm } from './AmountForm.js';
import type { CheckoutService } from './CheckoutService.js';
import { DetailsForm } from './DetailsForm.js';
import { LocaleProvider, locale } from './locale.js';
import { NothingOffered } from './NothingOffered.js';
import { Progress } from './Progress.js';
import { Receipt } from './Receipt.js';
import { useProgress } from './useProgress.js';
import { type Purchase, usePurchase } from './usePurchase.js';
import { useQuote } from './useQuote.js';

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
  const { lang, dir, t } = words;
  const [step, setStep] = useState<'amount' | 'details'>('amount');
  const [moved, setMoved] = useState(false);
  const [placed, setPlaced] = useState<OrderProgress>();
  const purchase = usePurchase(session, words.formats);
  const price = useQuote(service, placed ? nothing : purchase.request);
  const order = useProgress(service, placed);

  useEffect(() => {
    document.documentElement.lang = lang;
    document.documentElement.dir = dir;
    document.title = t('buy');
  }, [lang, dir, t]);

  const go = (to: typeof step) => {
    setMoved(true);
    setStep(to);
  };
  const screen = (): [state: string, content: React.ReactNode] => {
    if (session.fiats.length === 0 || session.cryptos.length === 0)
      return ['refused', <NothingOffered key="nothing" session={session} />];
    if (order?.step === 'finished')
      return ['finished', <Receipt key="receipt" order={order} purchase={purchase} />];
    if (order) return ['paying', <Progress key="progress" order={order} purchase={purchase} />];
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
    <LocaleProvider value={words}>
      <header className="ribbon">{t('sandbox')}</header>
      <main data-widget="on-ramp" data-state={state} data-step={order?.step ?? step}>
        {content}
      </main>
    </LocaleProvider>
  );
}
