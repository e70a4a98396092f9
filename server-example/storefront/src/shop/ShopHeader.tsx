import { useRef } from 'react';
import type { Account, Shop, ShopSession } from './useShop.js';
import { Wallet } from './Wallet.js';

interface ShopHeaderProps {
  readonly shop: Shop;
  readonly page: 'shop' | 'orders';
}

export function ShopHeader({ shop, page }: ShopHeaderProps) {
  return (
    <header className="header page">
      <a className="brand" href="/">
        <img src="/mark.svg" alt="" width="32" height="32" />
        <span>
          Fieldnote <span className="brand-rest">Prints</span>
        </span>
      </a>
      <nav className="header-links" aria-label="Shop">
        <a
          href="/orders"
          aria-label="Your orders"
          aria-current={page === 'orders' ? 'page' : undefined}
        >
          Orders
        </a>
      </nav>
      {/* Takes up the space of the account until it is known, so that the links do not move. */}
      <div className={shop.session?.signedIn === false ? undefined : 'account-place'}>
        {shop.session && <AccountMenu shop={shop} session={shop.session} />}
      </div>
    </header>
  );
}

const accounts: readonly { account: Account; name: string }[] = [
  { account: 'a', name: 'Demo shopper A' },
  { account: 'b', name: 'Demo shopper B' },
];

/** Shows the signed-in account, with a panel to switch it. */
function AccountMenu({ shop, session }: { shop: Shop; session: ShopSession }) {
  const panel = useRef<HTMLDivElement>(null);
  const current = session.signedIn ? session.name : undefined;
  const choose = (action: () => void) => () => {
    panel.current?.hidePopover();
    action();
  };
  return (
    <>
      <button type="button" className="account" popoverTarget="account-panel">
        {session.signedIn ? (
          <>
            <span className="account-name">{session.name}</span>
            <Wallet address={session.wallet} />
          </>
        ) : (
          'Sign in'
        )}
      </button>
      <div ref={panel} id="account-panel" className="account-panel" popover="auto">
        <p className="account-title">{current ? 'Signed in as' : 'Sign in as'}</p>
        {accounts.map(({ account, name }) => (
          <button
            key={account}
            type="button"
            className="account-choice"
            aria-pressed={name === current}
            onClick={choose(() => shop.signIn(account))}
          >
            {name}
          </button>
        ))}
        {session.signedIn && (
          <>
            <p className="account-wallet">
              Wallet <code>{session.wallet}</code>
            </p>
            <button type="button" className="account-choice" onClick={choose(shop.signOut)}>
              Sign out
            </button>
          </>
        )}
      </div>
    </>
  );
}

export function ShopFooter() {
  return (
    <footer className="footer page">
      <p>
        Fieldnote Prints is the example shop of the partner-ramp components for React. Each of its
        prints is drawn from a number.
      </p>
    </footer>
  );
}
