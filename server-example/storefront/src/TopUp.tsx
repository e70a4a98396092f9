import { CheckoutStatus, OnRampButton, QuotePreview } from '@partner-ramp/react';
import { useRef } from 'react';
import { ShortText } from './ShortText.js';
import { type Session, type Shopper, useSignIn } from './useShop.js';

const EVM_CHAINS = ['ethereum', 'polygon', 'arbitrum', 'base', 'bsc', 'avalanche'];
const AMOUNTS = ['50', '100', '250', '500'];
const start = { amount: '250', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' };

/** Lists the chains of a shopper's wallets, so that the card offers only coins that the shopper can receive. */
const listChains = ({ wallets }: Shopper) => [
  ...(wallets.evm ? EVM_CHAINS : []),
  ...(wallets.bitcoin ? ['bitcoin'] : []),
];

/** Shows the price, sells at it, and shows the state of the order. */
export function TopUp({ session: { shopper, widgetUrl } }: { readonly session: Session }) {
  const signIn = useSignIn();
  // The pressed button disappears with the sign-in, so the focus moves to the button that takes its place.
  const hasPressed = useRef(false);
  const focusOnce = (button: HTMLButtonElement | null) => {
    if (button && hasPressed.current) button.focus();
    if (button) hasPressed.current = false;
  };
  return (
    <section className="card top-up" aria-labelledby="top-up">
      <h2 id="top-up">Top up</h2>
      <QuotePreview
        className="price"
        aria-labelledby="top-up"
        defaultValue={start}
        presetAmounts={{ USD: AMOUNTS, EUR: AMOUNTS, GBP: AMOUNTS }}
        walletChains={shopper ? listChains(shopper) : undefined}
      >
        {({ selection }) =>
          shopper ? (
            <>
              <p className="destination">
                Goes to{' '}
                <ShortText>
                  {(selection?.cryptoCurrencyCode === 'BTC'
                    ? shopper.wallets.bitcoin
                    : shopper.wallets.evm) ?? ''}
                </ShortText>
              </p>
              {/* The key drops a signature of the previous shopper. */}
              <OnRampButton key={shopper.id} ref={focusOnce} className="buy" />
            </>
          ) : (
            <>
              <p className="destination">Goes to the wallet of your account</p>
              <button
                type="button"
                className="ramp-button buy sign-in-button"
                onClick={() => {
                  hasPressed.current = true;
                  signIn('ann');
                }}
              >
                Sign in as Ann to buy
              </button>
            </>
          )
        }
      </QuotePreview>
      {shopper && <CheckoutStatus key={shopper.id} className="status" />}
      <p className="host">You pay at {new URL(widgetUrl).host}, the payment service.</p>
    </section>
  );
}
