import { hydrateRoot } from 'react-dom/client';
import { Shop, type ShopSettings } from './Shop.js';

declare global {
  /** The settings that the server writes into the page. */
  var shopSettings: ShopSettings;
  /** The errors that React recovered from during hydration. They fail the test. */
  var recoveredErrors: string[];
}

export function hydrateShop(): void {
  globalThis.recoveredErrors = [];
  hydrateRoot(document, <Shop {...globalThis.shopSettings} />, {
    onRecoverableError: (error) => globalThis.recoveredErrors.push(`${error}`),
  });
}
