import { hydrateRoot } from 'react-dom/client';
import { StrictShop } from './StrictShop.js';

export function hydrateStrictShop(): void {
  const { widgetUrl = '' } = document.documentElement.dataset;
  hydrateRoot(document, <StrictShop widgetUrl={widgetUrl} />);
}
