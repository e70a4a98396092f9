import { useRef } from 'react';
import type { Account, Shop, ShopSession } from './useShop.js';
import { Wallet } from './Wallet.js';

const accounts: readonly { account: Account; name: string }[] = [
  { account: 'a', name: 'Demo shopper A' },
  { account: 'b', name: 'Demo shopper B' },
];

/** Shows the signed-in account, with a panel to switch it. */
export function AccountMenu({ shop, session }: { shop: Shop; session: ShopSession }) {
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
