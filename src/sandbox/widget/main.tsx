import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type PageData, SESSION_ELEMENT } from '../session-data.js';
import { httpService } from './http-service.js';
import './tokens.css';
import './layout.css';
import './form.css';
import './field.css';
import './order.css';
import './nft.css';
import { NftWidget } from './nft/NftWidget.js';
import { Widget } from './Widget.js';

const data = document.getElementById(SESSION_ELEMENT)?.textContent;
const root = document.getElementById('root');
if (root && data) {
  const session: PageData = JSON.parse(data);
  const service = httpService(session.session);
  createRoot(root).render(
    <StrictMode>
      {session.widget === 'nft' ? (
        <NftWidget session={session} service={service} />
      ) : (
        <Widget session={session} service={service} />
      )}
    </StrictMode>,
  );
}
