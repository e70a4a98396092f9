import './elements.css';
import '@partner-ramp/react/styles.css';
import './storefront.css';
import './shop-header.css';
import './top-up-card.css';
import './gallery.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Storefront } from './Storefront.js';

createRoot(document.getElementById('shop') as HTMLElement).render(
  <StrictMode>
    <Storefront />
  </StrictMode>,
);
