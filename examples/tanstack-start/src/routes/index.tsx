import { CheckoutStatus, OnRampButton, QuotePreview, RampProvider } from '@partner-ramp/react';
import { createFileRoute } from '@tanstack/react-router';
import { createServerFn } from '@tanstack/react-start';

const start = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };

/** Reads the address of the widget at request time, not at build time. */
const getWidgetUrl = createServerFn().handler(() => process.env.RAMP_WIDGET_URL);

export const Route = createFileRoute('/')({ loader: () => getWidgetUrl(), component: TopUp });

function TopUp() {
  return (
    <RampProvider widgetUrl={Route.useLoaderData()} api="/api/ramp">
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
