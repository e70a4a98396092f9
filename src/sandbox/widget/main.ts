import { PAGE_DATA_ELEMENT, type PageData } from '../checkout/pageData.js';
import { createHttpClient } from './checkoutClient.js';
import { renderWidget } from './renderWidget.js';

const data = document.getElementById(PAGE_DATA_ELEMENT)?.textContent;
const root = document.getElementById('root');
if (root && data) {
  const session: PageData = JSON.parse(data);
  renderWidget(root, session, createHttpClient(session.session));
}
