import { AccountMenu } from './AccountMenu.js';
import type { Shop } from './useShop.js';

export function ShopHeader({ shop }: { shop: Shop }) {
  return (
    <header className="header page">
      <a className="brand" href="/">
        <img src="/mark.svg" alt="" width="32" height="32" />
        Fieldnote Prints
      </a>
      {shop.session && <AccountMenu shop={shop} session={shop.session} />}
    </header>
  );
}
