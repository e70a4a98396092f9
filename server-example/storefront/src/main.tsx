import '@partner-ramp/react/styles.css';
import './shop.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Shop } from './Shop.js';

createRoot(document.getElementById('shop') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <Shop />
    </QueryClientProvider>
  </StrictMode>,
);
