import { apiFaults, quirkNames, webhookFaults } from '../faults.js';

interface PageSettings {
  readonly token: string;
  readonly widgetUrl: string;
  readonly webhookUrl: string | undefined;
}

const listOptions = (names: readonly string[]) =>
  ['<option value="">none</option>', ...names.map((name) => `<option>${name}</option>`)].join('');

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Renders the console without its data, which the page requests. */
export const renderConsolePage = ({ token, widgetUrl, webhookUrl }: PageSettings): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="console-token" content="${token}">
<title>Sandbox console</title>
<link rel="stylesheet" href="/console.css">
<script type="module" src="/console.js"></script>
</head>
<body>
<header class="bar">
<h1>Sandbox console</h1>
<p class="facts"><span>Widget <code>${escapeHtml(widgetUrl)}</code></span>
<span>Webhooks <code>${webhookUrl === undefined ? 'not sent' : escapeHtml(webhookUrl)}</code></span></p>
<p class="connection" id="connection" role="status">Connecting…</p>
</header>
<main>
<section class="log" aria-labelledby="log-title">
<div class="section-head"><h2 id="log-title">Messages</h2>
<label class="check"><input type="checkbox" id="only-refused"> Only refused</label></div>
<ol id="entries" aria-label="Messages, newest first"></ol>
<p class="empty" id="no-entries">Open a widget, or let your backend call the API. Each message appears here.</p>
</section>
<section class="detail" aria-labelledby="detail-title" id="detail">
<div class="section-head"><h2 id="detail-title" tabindex="-1">No message selected</h2></div>
<div id="detail-body"><p class="empty">Choose a message to see its signed text, part by part.</p></div>
</section>
<section class="orders" aria-labelledby="orders-title">
<div class="section-head"><h2 id="orders-title">Orders</h2></div>
<ul id="orders"></ul>
<p class="empty" id="no-orders">No order yet. Pay in the widget: no money moves.</p>
</section>
<section class="faults" aria-labelledby="faults-title">
<div class="section-head"><h2 id="faults-title">Faults</h2></div>
<form id="faults">
<div class="field"><label for="webhookFault">Webhooks</label><select id="webhookFault">${listOptions(webhookFaults)}</select></div>
<div class="field"><label for="apiFault">Partner API</label><select id="apiFault">${listOptions(apiFaults)}</select></div>
<div class="field"><label for="faultRate">Share, 0 to 1</label><input id="faultRate" type="number" min="0" max="1" step="0.05"></div>
<div class="field"><label for="latencyMs">Delay in ms</label><input id="latencyMs" type="number" min="0" step="100"></div>
<fieldset><legend>Deviations of real services</legend>${quirkNames
    .map(
      (name) =>
        `<label class="check"><input type="checkbox" data-quirk="${name}"> <code>${name}</code></label>`,
    )
    .join('')}</fieldset>
</form>
</section>
</main>
<p class="message" id="message" role="alert"></p>
</body>
</html>`;
