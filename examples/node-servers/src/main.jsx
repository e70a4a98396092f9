import { CheckoutStatus, OnRampButton, QuotePreview, RampProvider } from '@partner-ramp/react';
import '@partner-ramp/react/styles.css';
import { createRoot } from 'react-dom/client';

const start = { amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };

function TopUp() {
  return (
    <RampProvider widgetUrl={import.meta.env.VITE_RAMP_WIDGET_URL} api="/api/ramp">
      <h1>Top up</h1>
      <QuotePreview defaultValue={start}>
        <OnRampButton />
      </QuotePreview>
      <CheckoutStatus />
    </RampProvider>
  );
}

createRoot(document.getElementById('root')).render(<TopUp />);
