import './elements.css';
import './storefront.css';
import './shop/shopHeader.css';
import 'operator-page/page.css';
import { OperatorPage } from 'operator-page/page';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('shop') as HTMLElement).render(
  <StrictMode>
    <OperatorPage
      brand={
        <a className="brand" href="/">
          <img src="/mark.svg" alt="" width="32" height="32" />
          <span>
            Fieldnote <span className="brand-rest">Prints</span>
          </span>
        </a>
      }
    />
  </StrictMode>,
);
