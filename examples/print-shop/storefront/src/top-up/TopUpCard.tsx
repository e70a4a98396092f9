import {
  type CheckoutResponse,
  CheckoutStatus,
  OnRampButton,
  QuotePreview,
  type QuoteSelection,
} from '@partner-ramp/react';
import { useState } from 'react';
import { SignInButton } from '../shop/SignInButton.js';
import { useDeferredFocus } from '../shop/useDeferredFocus.js';
import type { Shop, ShopperWallets } from '../shop/useShop.js';
import { Wallet } from '../shop/Wallet.js';

/** The chains of the demo wallets, to which the server's policy sends what is bought. */
const EVM_CHAINS = ['ethereum', 'polygon', 'arbitrum', 'base', 'bsc', 'avalanche'];
const WALLET_CHAINS = [...EVM_CHAINS, 'bitcoin'];

const COMMON_AMOUNTS = ['50', '100', '250', '500'];
const PRESET_AMOUNTS = { USD: COMMON_AMOUNTS, EUR: COMMON_AMOUNTS, GBP: COMMON_AMOUNTS };

/** Sells crypto. It is delivered to the signed-in shopper's wallet on the chain of the coin. */
export function TopUpCard({ shop }: { shop: Shop }) {
  const { session, widgetUrl } = shop;
  const host = widgetUrl && new URL(widgetUrl).host;
  const [focusRef, requestFocus] = useDeferredFocus();
  // After a purchase, the same button would look as if it had not been pressed yet, so it then says "Buy again".
  const [isBought, setIsBought] = useState(false);
  const onStatusChange = ({ progress }: CheckoutResponse) => {
    if (progress === 'finished') setIsBought(true);
  };

  return (
    <section className="card" aria-labelledby="top-up">
      <h2 id="top-up">Top up your wallet</h2>
      <QuotePreview
        className="price"
        aria-labelledby="top-up"
        walletChains={WALLET_CHAINS}
        presetAmounts={PRESET_AMOUNTS}
        defaultValue={{ amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' }}
        onValueChange={() => setIsBought(false)}
      >
        {({ selection }) => (
          <div className="actions">
            <p className="card-wallet">
              {session?.signedIn
                ? selection && <Destination wallets={session.wallets} selection={selection} />
                : session && 'To the wallet of your account'}
            </p>
            {session?.signedIn && widgetUrl ? (
              // The key resets the buttons when the shopper changes, so that nobody opens a checkout signed for someone
              // else.
              <div key={session.wallets.evm}>
                <OnRampButton ref={focusRef} className="buy" onStatusChange={onStatusChange}>
                  {isBought ? 'Buy again' : undefined}
                </OnRampButton>
                <OnRampButton
                  className="in-window"
                  display="window"
                  onStatusChange={onStatusChange}
                >
                  Open in a window instead
                </OnRampButton>
              </div>
            ) : (
              <SignInPrompt shop={shop} onSignIn={requestFocus} />
            )}
          </div>
        )}
      </QuotePreview>
      {session?.signedIn && (
        // The key resets the card when the shopper changes, so that shoppers see only their own checkouts.
        <CheckoutStatus key={session.wallets.evm} widget="on-ramp" className="latest">
          <a href="/orders">Your orders</a>
        </CheckoutStatus>
      )}
      <ol className="steps">
        <li>The checkout{host && ` of ${host}`} opens over this page with your choices.</li>
        <li>Your wallet is already filled in, signed by our server.</li>
        <li>You confirm and pay there. This shop never sees your card.</li>
      </ol>
    </section>
  );
}

interface DestinationProps {
  readonly wallets: ShopperWallets;
  readonly selection: QuoteSelection;
}

/** Shows the wallet that the server will choose for the selected coin. */
const Destination = ({ wallets, selection: { cryptoCurrencyCode } }: DestinationProps) =>
  cryptoCurrencyCode === 'BTC' ? (
    <>
      To your Bitcoin wallet <Wallet address={wallets.bitcoin} />
    </>
  ) : (
    <>
      To your wallet <Wallet address={wallets.evm} />
    </>
  );

interface SignInPromptProps {
  readonly shop: Shop;
  readonly onSignIn: () => void;
}

/** Replaces the buttons until a shopper is signed in. If the server does not respond, the price above says so. */
function SignInPrompt({ shop, onSignIn }: SignInPromptProps) {
  if (shop.session?.signedIn === false)
    return <SignInButton shop={shop} className="buy" onSignIn={onSignIn} />;
  return <div className="buttons-placeholder" aria-hidden="true" />;
}
