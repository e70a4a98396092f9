import { buildRequestPayload, buildWidgetUrl, type Widget } from '../../src/protocol/index.js';
import { signRsaSha256 } from '../../src/server/index.js';
import { processRuntime } from '../../src/server/internal/runtime.js';
import { createWidgetSigner } from '../../src/server/signing/createWidgetSigner.js';
import vectors from '../../test/vectors/signing.json' with { type: 'json' };

const signer = createWidgetSigner(
  {
    partnerId: 'demo-partner',
    secretKey: 'demonstration-key',
    now: () => 1_767_225_600_000,
  },
  { ...processRuntime, randomInt: () => 482_910 },
);

function createWidgetResponse(widget: Widget, params: Record<string, string>) {
  const signed = signer.sign(widget, params as never);
  const { signature = '' } = signed.params;
  return {
    text: signed.payload,
    signature,
    url: buildWidgetUrl('https://pay.example', signed.params),
  };
}

export const createOnRampResponse = createWidgetResponse('on-ramp', {
  walletAddress: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e',
  walletAddressLocked: '1',
  ext: 'order 7 / café (A*)',
  amount: '100',
  defaultFiatCurrency: 'EUR',
});

export const createNftResponse = createWidgetResponse('nft', {
  contractAddress: '0x301ef5FB6eA64dEc3cd608C9065cDEC3146e80Da',
  nftNetwork: 'polygon',
  type: 'MINT',
  mintQuantity: '1',
  cryptoCurrency: 'POL_Polygon',
  amount: '250',
  walletAddress: '0xc8dDf9A5247fBEDD2866028de71159bAC42b4eaF',
  walletAddressTag: '',
  transferWalletAddress: '0x4ee6E0cBCEAaeaE63E367c29Ba80bA21eaBd8f06',
  merchantUniqueId: 'print-7',
  ext: 'q1Jz8sUjXo2dR4TkWb7n9A',
});

const headers = {
  'X-Fp-Version': 'v1.0',
  'X-Fp-Timestamp': '1767225600',
  'X-Fp-Nonce': '482910',
  'X-Fp-Partner-Id': 'demo-partner',
};

function createRequestExample(method: string, url: string, key: string) {
  const text = buildRequestPayload({ method, url, headers });
  return { url, headers, text, signature: signRsaSha256(text, key) };
}

const { apiPrivateKey, webhookPrivateKey } = vectors.keys;

export const createApiRequestExample = createRequestExample(
  'GET',
  'https://api.example/open/api/onramp/price?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=ETH',
  apiPrivateKey,
);

export const createWebhookExample = createRequestExample(
  'POST',
  'https://shop.example/hooks/ramp?tenant=eu1',
  webhookPrivateKey,
);
