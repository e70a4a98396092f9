import { CheckoutHistory, RampProvider } from '@partner-ramp/react';
import { Purchases, Wallets } from './Account.js';
import { SignIn } from './SignIn.js';
import { TopUp } from './TopUp.js';
import { type Shopper, useSession } from './useShop.js';

export function Shop() {
  const { data: session, failureCount } = useSession();
  const shopper = session?.shopper ?? undefined;
  return (
    <RampProvider widgetUrl={session?.widgetUrl} api="/api/ramp">
      <header className="header">
        <a className="brand" href="/">
          <img src="/mark.svg" alt="" width="32" height="32" /> Lantern
        </a>
        {session && <SignIn shopper={shopper} />}
      </header>
      <main className="page">
        <div className="intro">
          <h1>Coins for your own wallet.</h1>
          <p className="lead">
            Choose an amount and pay by card. The coins go to the wallet of your account, and to no
            other.
          </p>
          {failureCount > 1 && (
            <p className="unreachable" role="alert">
              The shop does not respond. This page tries again by itself.
            </p>
          )}
        </div>
        {session && <TopUp session={session} />}
        <div className="account">
          {shopper ? (
            // The key drops the lists of the previous shopper.
            <Account key={shopper.id} shopper={shopper} />
          ) : (
            session && <Welcome />
          )}
        </div>
      </main>
      <footer className="footer">
        <p>
          Lantern is the example of @partner-ramp/react. Its two shoppers have no password, and
          nobody has the keys of their wallets.
        </p>
      </footer>
    </RampProvider>
  );
}

const Account = ({ shopper }: { readonly shopper: Shopper }) => (
  <>
    <Wallets shopper={shopper} />
    <Purchases shopper={shopper} />
    <section aria-labelledby="checkouts">
      <h2 id="checkouts">Your checkouts</h2>
      <CheckoutHistory className="checkouts" aria-labelledby="checkouts" pageSize={5} />
    </section>
  </>
);

const Welcome = () => (
  <>
    <section className="wallets" aria-labelledby="shoppers">
      <h2 id="shoppers">Two demo shoppers</h2>
      <p>
        Ann has an Ethereum and a Bitcoin wallet. Bob has no Bitcoin wallet, so the shop offers him
        no Bitcoin.
      </p>
    </section>
    <ol className="steps">
      <li>
        <strong>See the price.</strong> It is live, with every fee, and needs no account.
      </li>
      <li>
        <strong>Sign in.</strong> The wallet comes from your account. Our server signs it, so nobody
        can change it on the way.
      </li>
      <li>
        <strong>Pay by card.</strong> You pay at the payment service. This shop never sees your
        card.
      </li>
    </ol>
  </>
);
