import './elements.css';
import '@partner-ramp/react/styles.css';
import './storefront.css';
import './shop/shopHeader.css';
import './orders/order.css';
import './top-up/topUpCard.css';
import './gallery/gallery.css';
import './orders/checkoutNotice.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Storefront } from './Storefront.js';

/** The cache of the prices. */
const client = new QueryClient();

createRoot(document.getElementById('shop') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Storefront />
    </QueryClientProvider>
  </StrictMode>,
);
