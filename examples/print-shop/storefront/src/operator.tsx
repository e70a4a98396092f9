import './elements.css';
import './storefront.css';
import './shop/shopHeader.css';
import './operator/operator.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OperatorPage } from './operator/OperatorPage.js';

createRoot(document.getElementById('shop') as HTMLElement).render(
  <StrictMode>
    <OperatorPage />
  </StrictMode>,
);
