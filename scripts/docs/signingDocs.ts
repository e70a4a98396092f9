import { readFileSync, writeFileSync } from 'node:fs';
import { getWidgetParameters, type Widget } from '../../src/protocol/index.js';
import { valueFormats } from '../../src/protocol/widget/valueFormats.js';
import type { WidgetParameter } from '../../src/protocol/widget/WidgetParameter.js';
import { nftCryptoCurrencies } from '../../src/sandbox/catalog/cryptoCurrencies.js';
import { formatRequired, formatSigned } from './parameterDocs.js';
import {
  createApiRequestExample,
  createNftResponse,
  createOnRampResponse,
  createWebhookExample,
} from './signingResponses.js';
import { createSigningVectors } from './signingVectors.js';

/** Returns the format of a parameter's value. */
function form({ name, format, signed: part }: WidgetParameter): string {
  if (format !== 'text') return valueFormats[format].words;
  if (name === 'signature') return 'standard base64, 44 characters';
  if (name === 'ext') return 'any text; encoded before it is signed';
  return part === 'never' ? 'any text' : 'printable ASCII, see below';
}

function table(widget: Widget): string {
  const rows = getWidgetParameters(widget).map((row) => {
    const cells = [
      `\`${row.name}\``,
      formatSigned[row.signed],
      formatRequired[row.required],
      form(row),
    ];
    return `| ${[...cells, row.description].join(' | ')} |`;
  });
  return `| parameter | signed | required | format | description |\n|---|---|---|---|---|\n${rows.join('\n')}`;
}

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
    parameters: `**On-ramp**\n\n${table('on-ramp')}\n\n**NFT checkout**\n\n${table('nft')}`,
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
