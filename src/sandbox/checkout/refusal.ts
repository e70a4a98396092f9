import type { RampIssue } from '../../protocol/errors/RampError.js';
import { nftCryptoCurrencies } from '../catalog/cryptoCurrencies.js';
import type { SignatureExplanation } from '../explain/explainSignature.js';
import { findIgnoringCase } from './offers.js';
import refusalCss from './refusalPage.css?raw';
import tokensCss from './tokens.css?raw';
import type { RefusedWidget, SignedItems, VerifiedWidget } from './validateWidgetQuery.js';

/** The reason why the widget does not open a URL, with the HTTP status of the refusal page. */
export interface Refusal extends Pick<RefusedWidget, 'message' | 'widget' | 'issues' | 'signed'> {
  readonly status: 400 | 403;
  /** A code in section 7 of the service interface. Absent for `framed`, which the interface does not define. */
  readonly code?: RefusedWidget['code'];
  readonly reason: RefusedWidget['reason'] | 'framed' | 'nft-currency';
  /** Why the signature is wrong, for the reason `signature`. */
  readonly explanation?: SignatureExplanation;
}

/** Refuses a valid URL that was opened in a frame but does not contain `windowOpen=1`. */
export const createFramedRefusal = ({ widget, signed }: VerifiedWidget): Refusal => ({
  status: 403,
  reason: 'framed',
  message: 'This checkout is embedded in a frame, but the URL does not have windowOpen=1.',
  widget,
  signed,
});

const nftCodes = nftCryptoCurrencies.map(({ code }) => code);

/** Refuses a valid URL whose NFT price is in a currency outside the list for NFTs. */
export function createNftCurrencyRefusal({ widget, signed, params }: VerifiedWidget): Refusal {
  const code = params.cryptoCurrency ?? '';
  const meant = findIgnoringCase(nftCodes, code);
  const hint = meant ? ` Codes are case-sensitive: the list has ${meant}.` : '';
  return {
    status: 400,
    code: 10002,
    reason: 'nft-currency',
    message: `The URL and its signature are valid, but NFTs are not priced in ${code}.${hint}`,
    widget,
    issues: [{ param: 'cryptoCurrency', message: `is ${code}, which is not in the list for NFTs` }],
    signed,
  };
}

const signing = [
  'Check that your server signs with the SecretKey of this partnerId. With createWidgetSigner, another SecretKey is the usual cause.',
  'Join the signed parameters as key=value with &, sorted by key in ASCII order. Do not encode values, except ext, which is URL-encoded first.',
  'docs/signing.md in the package describes this text in full, also for other programming languages.',
];

/** What the developer should check, for each reason. The sandbox's log shows only the first item. */
const refusalAdvice: Readonly<Record<Refusal['reason'], readonly string[]>> = {
  query: [
    'Build the URL with an encoder such as buildWidgetUrl, with each name once and each value percent-encoded.',
  ],
  'premium-only': [
    'Sign the URL, or leave these parameters out.',
    'Check whether a redirect or a proxy removed partnerId, timestamp, nonce and signature.',
  ],
  'unknown-partner': [
    'The sandbox generates a new partnerId and SecretKey at each start. Use those of this run.',
  ],
  incomplete: [
    'A Premium URL has all four: partnerId, timestamp, nonce, signature.',
    'A Basic URL has no timestamp, nonce or signature, and either no partnerId or another one.',
  ],
  signature: [
    ...signing,
    'Compare the text below with the text that your signer signed, character by character.',
    'Encode the signature as base64, then percent-encode it in the URL: + is %2B, / is %2F, = is %3D.',
    'Check that no signed parameter was changed or added after signing. In an on-ramp URL the wallet is signed, the amount is not.',
  ],
  'timestamp-expired': [
    'Sign the URL immediately before the checkout opens. A stored URL or a reloaded page is too old.',
    "Check your server's clock.",
  ],
  'timestamp-in-future': [
    "Check your server's clock.",
    'The timestamp must be in seconds, not milliseconds.',
  ],
  params: ['Names and values are case-sensitive.', 'docs/parameters.md lists all of them.'],
  framed: [
    'Add windowOpen=1 to the URL when a page shows it in a frame. It is not signed.',
    'Or open the checkout in a separate window.',
  ],
  'nft-currency': [
    `Price the NFT in one of these: ${nftCodes.join(', ')}.`,
    'The API returns them for GET /open/api/onramp/token?buyType=nft. The on-ramp list has more currencies.',
  ],
};

/** Returns what was wrong and what to check, in one line for the sandbox's log. */
export function describeRefusal({ message, reason, explanation }: Refusal): string {
  const mistakes = explanation?.mistakes ?? [];
  if (mistakes.length > 0)
    return [message, ...mistakes.flatMap(({ what, fix }) => [what, fix])].join(' ');
  return [message, ...(explanation?.notes ?? []), refusalAdvice[reason][0]].join(' ');
}

/** The refusal page has a separate stylesheet, because the Content-Security-Policy forbids inline styles. */
export const REFUSAL_STYLES_PATH = '/refusal.css';
export const refusalStyles = `${tokensCss}\n${refusalCss}`;

const titles = { 10002: 'incorrect params', 10003: 'Signature error' } as const;

/** Returns a refusal's code and name, such as `10003 Signature error`. */
export const formatRefusalCode = ({ code, status }: Refusal): string =>
  code ? `${code} ${titles[code]}` : `${status} Forbidden`;

/** Renders the page for a refused URL: the reason, what to check, and the text to sign. */
export function renderRefusalPage(refusal: Refusal): string {
  const { reason, message, widget = 'on-ramp', issues, signed } = refusal;
  const { mistakes = [], notes = [] } = refusal.explanation ?? {};
  const name = formatRefusalCode(refusal);
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
${mistakes.length > 0 ? renderMistakes(mistakes) : renderAdvice([...notes, ...refusalAdvice[reason]])}
${signed ? renderSignedText(signed) : ''}
</main>
</body>
</html>`;
}

function renderMistakes(mistakes: SignatureExplanation['mistakes']): string {
  const items = mistakes.map(
    ({ id, what, fix }) =>
      `<li data-mistake="${escapeHtml(id)}"><strong>${escapeHtml(what)}</strong> ${escapeHtml(fix)}</li>`,
  );
  return `<h2>Why the signature is wrong</h2><ul>${items.join('')}</ul>`;
}

function renderAdvice(advice: readonly string[]): string {
  const items = advice.map((item) => `<li>${escapeHtml(item)}</li>`);
  return `<h2>What to check</h2><ul>${items.join('')}</ul>`;
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
