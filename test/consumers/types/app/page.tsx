import {
  CheckoutStatus,
  NftCheckout,
  OnRampButton,
  QuotePreview,
  RampError,
  RampProvider,
  useCheckout,
} from '@partner-ramp/react';
import { messages as de } from '@partner-ramp/react/messages/de';
import { useQuote } from '@partner-ramp/react/quotes';
import '@partner-ramp/react/styles.css';

export function Page() {
  const { open } = useCheckout({ widget: 'on-ramp', params: { amount: '100' } });
  const { data: quote, error } = useQuote(undefined);
  return (
    <RampProvider widgetUrl="https://pay.example" api="/api/ramp" messages={de} language="de">
      <OnRampButton amount="100" cryptoCurrency="USDT_ERC20" onError={({ code }) => code} />
      <NftCheckout
        type="MARKET"
        contractAddress="0x1"
        tokenId="1"
        cryptoCurrency="USDT_ERC20"
        amount="1"
        ownerWalletAddress="0x1"
        onOpen={({ reference }) => reference}
      />
      {/* @ts-expect-error An amount is a string. */}
      <OnRampButton amount={100} />
      <QuotePreview />
      <CheckoutStatus reference="reference" />
      <button type="button" onClick={() => open({ display: 'window' })}>
        {quote?.cryptoCurrencyAmount}
        {error instanceof RampError && error.code}
      </button>
    </RampProvider>
  );
}
