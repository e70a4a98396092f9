import { PRICE_TIME } from '../../demo/priceTime.js';
import { createCheckoutService } from '../../src/sandbox/checkout/createCheckoutService.js';
import { openWidgetSession } from '../../src/sandbox/checkout/widgetSession.js';
import { createRandomHex } from '../../src/sandbox/memory.js';
import { createSandboxOrders } from '../../src/sandbox/orders.js';
import { renderWidget } from '../../src/sandbox/widget/renderWidget.js';
import { createPageService } from './createPageService.js';
import { followScheme } from './followScheme.js';
import { showRefusal } from './showRefusal.js';
import { verifyInPage } from './verifyInPage.js';

// Some stories need a page that does not load. The backend of such a story never responds to this request.
if (new URLSearchParams(location.search).has('stall')) {
  // Such a page has not sent its styles either. Their background would cover what the dialog shows until it loads.
  document.head.replaceChildren();
  const image = document.createElement('img');
  image.alt = '';
  image.src = '/api/ramp/stall';
  document.body.append(image);
  await new Promise(() => {});
}

const orders = createSandboxOrders({
  now: Date.now,
  stepMs: 900,
  settleMs: 5000,
  derived: { hex: createRandomHex },
});
const service = createCheckoutService(orders, () => PRICE_TIME);

const verified = await verifyInPage(location.search);
const opened = openWidgetSession(verified, window.parent !== window, orders);
const root = document.getElementById('root');
if ('refusal' in opened) showRefusal(opened.refusal);
else if (root && verified.ok) {
  // Stories read this attribute and compare the signed text with the text that they show.
  root.dataset.verified = verified.signed.map((item) => item.join('=')).join('&');
  renderWidget(root, opened.data, createPageService(opened.session, service, orders));
}
followScheme();
