import { CheckoutStatus, OnRampButton, QuotePreview, RampProvider } from '@partner-ramp/react';
import { connection } from 'next/server';

const start = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };

/** A server component can render the components directly, because the package marks them 'use client'. */
export default async function TopUp() {
  await connection(); // reads RAMP_WIDGET_URL at request time, not at build time
  return (
    <RampProvider widgetUrl={process.env.RAMP_WIDGET_URL} api="/api/ramp">
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
