import { CheckoutStatus, OnRampButton, QuotePreview } from '@partner-ramp/react';
import { SignInButton } from '../shop/SignInButton.js';
import { useDeferredFocus } from '../shop/useDeferredFocus.js';
import type { Shop } from '../shop/useShop.js';
import { Wallet } from '../shop/Wallet.js';

/** The networks of the demo wallets. */
const NETWORKS = ['ethereum_mainnet', 'polygon_mainnet', 'arbitrum_mainnet', 'base_mainnet'];

const COMMON_AMOUNTS = ['50', '100', '250', '500'];
const PRESET_AMOUNTS = { USD: COMMON_AMOUNTS, EUR: COMMON_AMOUNTS, GBP: COMMON_AMOUNTS };

/** Lets the shopper buy crypto, which is delivered to the wallet of the signed-in account. */
export function TopUpCard({ shop }: { shop: Shop }) {
  const { session, widgetUrl } = shop;
  const host = widgetUrl && new URL(widgetUrl).host;
  const [focusRef, requestFocus] = useDeferredFocus();

  return (
    <section className="card" aria-labelledby="top-up">
      <h2 id="top-up">Top up your wallet</h2>
      <p className="card-wallet">
        {session?.signedIn ? (
          <>
            To your wallet <Wallet address={session.wallet} />
          </>
        ) : (
          session && 'To the wallet of your account'
        )}
      </p>
      <QuotePreview
        className="price"
        aria-labelledby="top-up"
        cryptoNetwork={NETWORKS}
        presetAmounts={PRESET_AMOUNTS}
        defaultValue={{ amount: '100', fiatCurrency: 'USD', cryptoCurrencyCode: 'USDT_ERC20' }}
      >
        <div className="actions">
          {session?.signedIn && widgetUrl ? (
            // The key resets the buttons when the shopper changes, so that nobody opens a checkout signed for someone
            // else.
            <div key={session.wallet}>
              <OnRampButton ref={focusRef} className="buy" />
              <OnRampButton className="in-window" display="window">
                Open in a window instead
              </OnRampButton>
            </div>
          ) : (
            <SignInPrompt shop={shop} onSignIn={requestFocus} />
          )}
        </div>
      </QuotePreview>
      {session?.signedIn && (
        // The key resets the card when the shopper changes, so that shoppers see only their own checkouts.
        <CheckoutStatus key={session.wallet} className="latest">
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
