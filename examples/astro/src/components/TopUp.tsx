import { CheckoutStatus, OnRampButton, QuotePreview, RampProvider } from '@partner-ramp/react';

const start = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };

export function TopUp({ widgetUrl }: { widgetUrl: string | undefined }) {
  return (
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
      <h1>Top up</h1>
      <QuotePreview defaultValue={start}>
        <OnRampButton />
      </QuotePreview>
      <CheckoutStatus />
    </RampProvider>
  );
}
