import { type PageData, SESSION_ELEMENT } from '../session-data.js';
import { httpService } from './http-service.js';
import { renderWidget } from './renderWidget.js';

const data = document.getElementById(SESSION_ELEMENT)?.textContent;
const root = document.getElementById('root');
if (root && data) {
  const session: PageData = JSON.parse(data);
  renderWidget(root, session, httpService(session.session));
}
