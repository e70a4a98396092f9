import { hydrateRoot } from 'react-dom/client';
import { Shop, type ShopSettings } from './Shop.js';

declare global {
  /** The settings with which the server rendered the page. A script in the page sets them. */
  var shopSettings: ShopSettings;
  /** The errors that React recovered from during hydration. Tests expect none. */
  var recoveredErrors: string[];
}

export function hydrateShop(): void {
  globalThis.recoveredErrors = [];
  hydrateRoot(document, <Shop {...globalThis.shopSettings} />, {
    onRecoverableError: (error) => globalThis.recoveredErrors.push(`${error}`),
  });
}
