import { CheckoutStatus, OnRampButton, QuotePreview, RampProvider } from '@partner-ramp/react';
import '@partner-ramp/react/styles.css';
import { createRoot } from 'react-dom/client';

const start = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };
createRoot(document.getElementById('root')).render(
  <RampProvider widgetUrl={import.meta.env.VITE_RAMP_WIDGET_URL} api="/api/ramp">
    <QuotePreview defaultValue={start}>
      <OnRampButton />
    </QuotePreview>
    <CheckoutStatus />
  </RampProvider>,
);
