import { type FocusEvent, useEffect, useId, useRef, useState } from 'react';
import type { Account, Shop, ShopSession } from './useShop.js';
import { Wallet } from './Wallet.js';

interface ShopHeaderProps {
  readonly shop: Shop;
  readonly page: 'shop' | 'orders';
}

export function ShopHeader({ shop, page }: ShopHeaderProps) {
  const sessionChange = useSessionChange(shop.session);
  return (
    <header className="header page">
      <a className="skip-link" href="#main">
        Skip to the main content
      </a>
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
      <p role="status" className="visually-hidden">
        {sessionChange}
      </p>
    </header>
  );
}

/** Returns a sentence about the last change of the account, for screen readers. It is empty until there is a change. */
function useSessionChange(session: ShopSession | undefined): string {
  const name = session && (session.signedIn ? session.name : '');
  const known = useRef(name);
  const [sentence, setSentence] = useState('');
  useEffect(() => {
    if (name === undefined || name === known.current) return;
    if (known.current !== undefined) setSentence(name ? `Signed in as ${name}` : 'Signed out');
    known.current = name;
  }, [name]);
  return sentence;
}

const accounts: readonly { account: Account; name: string }[] = [
  { account: 'a', name: 'Demo shopper A' },
  { account: 'b', name: 'Demo shopper B' },
];

/** Shows the signed-in account, with a panel to switch it. */
function AccountMenu({ shop, session }: { shop: Shop; session: ShopSession }) {
  const panel = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const current = session.signedIn ? session.name : undefined;
  const choose = (action: () => void) => () => {
    panel.current?.hidePopover();
    action();
  };
  // Close the panel when a control outside gets the focus, because the panel would cover it. If no control gets the
  // focus, keep the panel open: the shopper selects its text, or has left the window.
  const hideWithoutFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) panel.current?.hidePopover();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus leaves the controls in it
    <div onBlur={hideWithoutFocus}>
      <button type="button" className="account" popoverTarget="account-panel">
        {session.signedIn ? (
          <>
            <span className="account-name">{session.name}</span>
            {/* Hidden, because screen readers would spell every character. The panel also shows the address. */}
            <span aria-hidden="true">
              <Wallet address={session.wallets.evm} />
            </span>
          </>
        ) : (
          'Sign in'
        )}
      </button>
      <div ref={panel} id="account-panel" className="account-panel" popover="auto">
        {/* biome-ignore lint/a11y/useSemanticElements: the title is a paragraph, not a legend */}
        <div role="group" aria-labelledby={titleId}>
          <p id={titleId} className="account-title">
            {current ? 'Signed in as' : 'Sign in as'}
          </p>
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
        </div>
        {session.signedIn && (
          <>
            <div className="account-wallets">
              <p>
                Wallet on Ethereum and other EVM chains <code>{session.wallets.evm}</code>
              </p>
              <p>
                Bitcoin wallet <code>{session.wallets.bitcoin}</code>
              </p>
            </div>
            <button type="button" className="account-choice" onClick={choose(shop.signOut)}>
              Sign out
            </button>
          </>
        )}
      </div>
    </div>
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
