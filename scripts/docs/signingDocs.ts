import { readFileSync } from 'node:fs';
import { buildRequestPayload, buildWidgetUrl, type Widget } from '../../src/protocol/index.js';
import { nftCryptoCurrencies } from '../../src/sandbox/catalog/cryptoCurrencies.js';
import { signRsaSha256 } from '../../src/server/index.js';
import { processRuntime } from '../../src/server/internal/runtime.js';
import { createWidgetSigner } from '../../src/server/signing/createWidgetSigner.js';
import vectors from '../../test/vectors/signing.json' with { type: 'json' };
import type { Documents } from './documents.js';
import { createSigningVectors } from './signingVectors.js';

const signer = createWidgetSigner(
  {
    partnerId: 'demo-partner',
    secretKey: 'demonstration-key',
  },
  { ...processRuntime, now: () => 1_767_225_600_000, randomInt: () => 482_910 },
);

function signWidgetExample(widget: Widget, params: Record<string, string>) {
  const signed = signer.sign(widget, params as never);
  const { signature = '' } = signed.params;
  return {
    text: signed.payload,
    signature,
    url: buildWidgetUrl('https://pay.example', signed.params),
  };
}

const onRampExample = signWidgetExample('on-ramp', {
  walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
  walletAddressLocked: '1',
  ext: 'order 7 / café (A*)',
  amount: '100',
  defaultFiatCurrency: 'EUR',
});

const nftExample = signWidgetExample('nft', {
  contractAddress: '0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA',
  nftNetwork: 'polygon',
  type: 'MINT',
  mintQuantity: '1',
  cryptoCurrency: 'POL_Polygon',
  amount: '250',
  walletAddress: '0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf',
  walletAddressTag: '',
  transferWalletAddress: '0x4EE6e0CBCEaaEAe63e367c29BA80bA21eABD8f06',
  merchantUniqueId: 'print-7',
  ext: 'q1Jz8sUjXo2dR4TkWb7n9A',
});

const headers = {
  'X-Fp-Version': 'v1.0',
  'X-Fp-Timestamp': '1767225600',
  'X-Fp-Nonce': '482910',
  'X-Fp-Partner-Id': 'demo-partner',
};

function signRequestExample(method: string, url: string, key: string) {
  const text = buildRequestPayload({ method, url, headers });
  return { url, headers, text, signature: signRsaSha256(text, key) };
}

const { apiPrivateKey, webhookPrivateKey } = vectors.keys;

const apiExample = signRequestExample(
  'GET',
  'https://api.example/open/api/onramp/price?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=ETH',
  apiPrivateKey,
);

const webhookExample = signRequestExample(
  'POST',
  'https://shop.example/hooks/ramp?tenant=eu1',
  webhookPrivateKey,
);

const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``;

function formatWidgetExample(
  title: string,
  { text, signature, url }: typeof onRampExample,
): string {
  return [
    `**${title}.** The text, the signature and the URL:`,
    ...[text, signature, url].map(fence),
  ].join('\n\n');
}

function formatRequestExample(
  { url, headers, text, signature }: typeof apiExample,
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

function formatSigningParts(): Readonly<Record<string, string>> {
  const codes = nftCryptoCurrencies.map(({ code }) => `\`${code}\``).join(', ');
  return {
    widget: [
      formatWidgetExample('On-ramp', onRampExample),
      'Here `ext` is `order 7 / café (A*)` before it is encoded, and `amount` and `defaultFiatCurrency` are not signed.',
      formatWidgetExample('NFT checkout', nftExample),
      'Here `walletAddressTag` is empty, so it is neither signed nor sent.',
    ].join('\n\n'),
    api: formatRequestExample(apiExample, 'GET'),
    webhook: formatRequestExample(webhookExample, 'POST'),
    sandbox: `The sandbox prices NFTs in ${codes}.`,
  };
}

const PART = /(<!-- generated: (\S+) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

/** Returns docs/signing.md with its generated parts updated, and docs/signing-vectors.json. */
export function formatSigningDocs(): Documents {
  const page = readFileSync('docs/signing.md', 'utf8');
  const parts = formatSigningParts();
  return {
    'docs/signing.md': page.replace(
      PART,
      (_, start, name, end) => `${start}\n${parts[name]}\n\n${end}`,
    ),
    'docs/signing-vectors.json': `${JSON.stringify(createSigningVectors(), null, 1)}\n`,
  };
}
