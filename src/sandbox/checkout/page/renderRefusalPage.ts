import type { RampIssue } from '../../../protocol/errors/RampError.js';
import { type Refusal, refusalAdvice } from '../session/Refusal.js';
import type { SignedItems } from '../verification/readWidgetQuery.js';
import refusalCss from './refusalPage.css?raw';
import tokensCss from './tokens.css?raw';

/** A separate stylesheet, because the policy forbids inline styles. */
export const REFUSAL_STYLES_PATH = '/refusal.css';
export const refusalStyles = `${tokensCss}\n${refusalCss}`;

const titles = { 10002: 'incorrect params', 10003: 'Signature error' } as const;

/** Renders the page for a refused URL: the reason, what to check, and the text to sign. */
export function renderRefusalPage(refusal: Refusal): string {
  const { code, status, reason, message, widget = 'on-ramp', issues, signed } = refusal;
  const name = code ? `${code} ${titles[code]}` : `${status} Forbidden`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="stylesheet" href="${REFUSAL_STYLES_PATH}">
</head>
<body>
<header class="banner">Sandbox: no money moves</header>
<main data-widget="${widget}" data-state="refused" data-reason="${reason}">
<p class="code">${name}</p>
<h1>This checkout cannot be opened</h1>
<p class="lead">${escapeHtml(message)}</p>
${issues ? renderIssueList(issues) : ''}
<h2>What to check</h2>
<ul>${refusalAdvice[reason].map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>
${signed ? renderSignedText(signed) : ''}
</main>
</body>
</html>`;
}

function renderIssueList(issues: readonly RampIssue[]): string {
  const rows = issues.map(
    ({ param, message }) =>
      `<div><dt>${escapeHtml(param || 'the URL')}</dt><dd>${escapeHtml(message)}</dd></div>`,
  );
  return `<dl class="issues">${rows.join('')}</dl>`;
}

function renderSignedText(signed: SignedItems): string {
  const items = signed.map(
    ([name, value]) =>
      `<span class="param-name">${escapeHtml(name)}</span><span class="separator">=</span><span class="param-value">${escapeHtml(value)}</span>`,
  );
  return `<h2 id="signed-text">The text that the service signs for this URL</h2>
${
  items.length > 0
    ? `<p class="signed-text" tabindex="0" role="group" aria-labelledby="signed-text">${items.join('<wbr><span class="separator">&amp;</span>')}</p>
<p class="legend"><span class="param-name">key</span> <span class="separator">=</span> <span class="param-value">value</span> <span class="separator">&amp;</span> next key</p>`
    : '<p>This URL has no signed parameters.</p>'
}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
