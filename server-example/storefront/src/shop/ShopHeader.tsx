import { AccountMenu } from './AccountMenu.js';
import type { Shop } from './useShop.js';

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
      {shop.session && <AccountMenu shop={shop} session={shop.session} />}
    </header>
  );
}
