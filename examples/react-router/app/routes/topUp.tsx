import { CheckoutStatus, OnRampButton, QuotePreview, RampProvider } from '@partner-ramp/react';
import { useLoaderData } from 'react-router';

const start = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };

/** Reads the address of the widget at request time, not at build time. */
export const loader = () => ({ widgetUrl: process.env.RAMP_WIDGET_URL });

export default function TopUp() {
  const { widgetUrl } = useLoaderData<typeof loader>();
  return (
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
      <main>
        <h1>Top up</h1>
        <QuotePreview defaultValue={start}>
          <OnRampButton />
        </QuotePreview>
        <CheckoutStatus />
      </main>
    </RampProvider>
  );
}
