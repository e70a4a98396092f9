import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SESSION_ELEMENT, type SessionData } from '../session-data.js';
import { httpService } from './http-service.js';
import './tokens.css';
import './layout.css';
import './form.css';
import './field.css';
import './order.css';
import { Widget } from './Widget.js';

const data = document.getElementById(SESSION_ELEMENT)?.textContent;
const root = document.getElementById('root');
if (root && data) {
  const session: SessionData = JSON.parse(data);
  createRoot(root).render(
    <StrictMode>
      <Widget session={session} service={httpService(session.session)} />
    </StrictMode>,
  );
}
