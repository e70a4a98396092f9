import { readFileSync, writeFileSync } from 'node:fs';
import { nftCryptoCurrencies } from '../../src/sandbox/catalog/cryptoCurrencies.js';
import {
  createApiRequestExample,
  createNftResponse,
  createOnRampResponse,
  createWebhookExample,
} from './signingResponses.js';
import { createSigningVectors } from './signingVectors.js';

const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``;

function widgetAnswer(
  title: string,
  { text, signature, url }: typeof createOnRampResponse,
): string {
  return [
    `**${title}.** The text, the signature and the URL:`,
    ...[text, signature, url].map(fence),
  ].join('\n\n');
}

function requestAnswer(
  { url, headers, text, signature }: typeof createApiRequestExample,
  method: string,
) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    fence([`${method} ${url}`, ...lines].join('\n')),
    'The text and the signature:',
    fence(text),
    fence(signature),
  ].join('\n\n');
}

/** Returns each generated part of docs/signing.md by its name. */
export function formatSigningParts(): Readonly<Record<string, string>> {
  const codes = nftCryptoCurrencies.map(({ code }) => `\`${code}\``).join(', ');
  return {
    widget: [
      widgetAnswer('On-ramp', createOnRampResponse),
      'Here `ext` is `order 7 / café (A*)` before it is encoded, and `amount` and `defaultFiatCurrency` are not signed.',
      widgetAnswer('NFT checkout', createNftResponse),
      'Here `walletAddressTag` is empty, so it is neither signed nor sent.',
    ].join('\n\n'),
    api: requestAnswer(createApiRequestExample, 'GET'),
    webhook: requestAnswer(createWebhookExample, 'POST'),
    sandbox: `The sandbox prices NFTs in ${codes}.`,
  };
}

const PART = /(<!-- generated: (\S+) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

/** Returns the page with its generated parts updated. */
export function renderSigningPage(page: string): string {
  const parts = formatSigningParts();
  return page.replace(PART, (_, start, name, end) => `${start}\n${parts[name]}\n\n${end}`);
}

/** Returns the text of docs/signing-vectors.json. */
export const formatSigningVectors = (): string =>
  `${JSON.stringify(createSigningVectors(), null, 1)}\n`;

/** Writes the generated parts of docs/signing.md, and docs/signing-vectors.json. */
export function writeSigningDocs(): void {
  writeFileSync('docs/signing.md', renderSigningPage(readFileSync('docs/signing.md', 'utf8')));
  writeFileSync('docs/signing-vectors.json', formatSigningVectors());
}
