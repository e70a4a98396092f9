import './elements.css';
import '@partner-ramp/react/styles.css';
import './storefront.css';
import './shop/shopHeader.css';
import './orders/order.css';
import './orders/orders.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OrdersPage } from './orders/OrdersPage.js';

createRoot(document.getElementById('shop') as HTMLElement).render(
  <StrictMode>
    <OrdersPage />
  </StrictMode>,
);
