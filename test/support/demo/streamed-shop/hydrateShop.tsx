import { hydrateRoot } from 'react-dom/client';
import { Shop, type ShopSettings } from './Shop.js';

declare global {
  /** What the server puts into the page. */
  var shopSettings: ShopSettings;
  /** What React had to mend, a fault all the same. */
  var mended: string[];
}

export function hydrateShop(): void {
  globalThis.mended = [];
  hydrateRoot(document, <Shop {...globalThis.shopSettings} />, {
    onRecoverableError: (error) => globalThis.mended.push(`${error}`),
  });
}
