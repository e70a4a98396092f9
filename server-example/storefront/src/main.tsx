import './elements.css';
import '@partner-ramp/react/styles.css';
import './storefront.css';
import './shop/shopHeader.css';
import './top-up/topUpCard.css';
import './gallery/gallery.css';
import './orders/checkoutNotice.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Storefront } from './Storefront.js';

createRoot(document.getElementById('shop') as HTMLElement).render(
  <StrictMode>
    <Storefront />
  </StrictMode>,
);
