import { buildRequestPayload, buildWidgetPayload, type Widget } from '../../src/protocol/index.js';
import { buildWidgetQuery } from '../../src/protocol/widget/buildWidgetUrl.js';
import { signRsaSha256 } from '../../src/server/index.js';
import { processRuntime } from '../../src/server/internal/runtime.js';
import { createWidgetSigner } from '../../src/server/signing/createWidgetSigner.js';
import vectors from '../../test/vectors/signing.json' with { type: 'json' };

type Values = Readonly<Record<string, string>>;

/** The number of widget vectors to take from the test data. They alternate between on-ramp and NFT. */
const COUNT = 16;

function widgetVector(widget: Widget, secretKey: string, params: Values, extra: Values = {}) {
  const { partnerId = '', timestamp, nonce = '', ...given } = params;
  const signer = createWidgetSigner(
    { partnerId, secretKey },
    { ...processRuntime, now: () => Number(timestamp) * 1000, randomInt: () => Number(nonce) },
  );
  const signed = signer.sign(widget, given as never, { extraSignedParams: extra });
  const { signature = '' } = signed.params;
  return {
    ...{ widget, secretKey, params: { ...params, ...extra }, unsignedParams: {} },
    ...{ text: signed.payload, signature, query: buildWidgetQuery(signed.params) },
  };
}

const demo = { partnerId: 'demo-partner', timestamp: '1767225600' };
const nft = {
  contractAddress: '0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA',
  nftNetwork: 'polygon',
  type: 'MARKET',
  tokenId: '17',
  ownerWalletAddress: '0x0Dc0B1AcBC3f252Bedc87ff4adfAa36dD0840164',
  cryptoCurrency: 'ETH',
  amount: '0.050',
  walletAddress: '0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf',
  walletAddressTag: '',
  transferWalletAddress: '0x4EE6e0CBCEaaEAe63e367c29BA80bA21eABD8f06',
};
const wallet = { walletAddress: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' };
/** A value for `ext` with characters that URL encoders treat differently. */
const ext = "a b+c~d!e*f'g(h)i/j?k&l=m%n#ö€😀";

/** Vectors with special cases: the text `ext` above, a short and a long nonce, empty values, extra parameters. */
const special = [
  widgetVector('on-ramp', 'demonstration-key', { ...demo, nonce: '7', ...wallet, ext }),
  widgetVector('nft', 'demonstration-key', { ...demo, nonce: '4829106123', ...nft, ext }),
  widgetVector('nft', 'demonstration-key', {
    ...{ ...demo, nonce: '482910', ...nft },
    ...{ merchantOrderNo: '', ext: '' },
  }),
  widgetVector(
    'nft',
    'demonstration-key',
    { ...demo, nonce: '482910', ...nft },
    { timeout: '1767226500', Zone: '7' },
  ),
];

const independent = vectors.widget.slice(0, COUNT).map((vector) => {
  const { widget, secretKey, signature } = vector;
  const [given, unsignedParams] = [vector.params, vector.unsignedParams] as unknown as Values[];
  // Add an empty tag: signers require it, and it does not change the signed text.
  const params = { ...(widget === 'nft' && { walletAddressTag: '' }), ...given };
  const sent = { ...params, ...unsignedParams, signature };
  const text = buildWidgetPayload(widget as Widget, sent);
  return {
    widget,
    secretKey,
    params,
    unsignedParams,
    text,
    signature,
    query: buildWidgetQuery(sent),
  };
});

function withText<T extends { canonical: string }>(vector: T | undefined) {
  if (!vector) return [];
  const { canonical: text, ...rest } = vector;
  return [{ ...rest, text }];
}

/** Returns the same webhook with another timestamp, so that the signature does not match. */
function forged<T extends { headers: Record<string, string>; text: string }>(vector: T) {
  const timestamp = '1784086587';
  const headers = { ...vector.headers, 'X-Fp-Timestamp': timestamp };
  const text = vector.text.replace(/(?<=x-fp-timestamp=)\d+/, timestamp);
  return { ...vector, headers, text, valid: false };
}

/** API requests with encoded values, and with a host in upper case and the default port. */
const specialApi = [
  'https://api.ramp.example/open/api/onramp/price?payment=Cart%C3%A3o%20de+d%C3%A9bito%2B&fiatCurrency=BRL',
  'https://API.ramp.example:443/open/api/onramp/currency',
].map((url) => {
  const headers = {
    'X-Fp-Version': 'v1.0',
    'X-Fp-Timestamp': demo.timestamp,
    'X-Fp-Nonce': '482910',
    'X-Fp-Partner-Id': demo.partnerId,
  };
  const text = buildRequestPayload({ method: 'GET', url, headers });
  const signature = signRsaSha256(text, vectors.keys.apiPrivateKey);
  return { method: 'GET', url, headers, signature, text };
});

const webhookHeaders = {
  'X-Fp-Version': 'v1.0',
  'X-Fp-Timestamp': '1767225600',
  'X-Fp-Nonce': '482910',
  'X-Fp-Partner-Id': 'demo-partner',
};
const FP =
  'x-fp-nonce=482910&x-fp-partner-id=demo-partner&x-fp-timestamp=1767225600&x-fp-version=v1.0';

/**
 * Creates a webhook of a service that also signs the body. `items` is the part of the signed text before the x-fp
 * headers: the joined items of the body and the query.
 */
function signedBodyVector(name: string, body: string, items: string, valid: boolean) {
  const text = `POSTshop.example/hooks/ramp?${items}${FP}`;
  const signature = signRsaSha256(text, vectors.keys.webhookPrivateKey);
  return {
    ...{ name, method: 'POST', url: 'https://shop.example/hooks/ramp?tenant=eu1' },
    ...{ headers: { ...webhookHeaders, 'X-Fp-Signature': signature }, body, text, valid },
  };
}

/**
 * Webhooks of services that also sign the body. Those that a shop must refuse are signed correctly, but their signed
 * text is ambiguous.
 */
const signedBodyVectors = [
  signedBodyVector(
    'numbers with the digits of the JSON; empty fields, null, lists and objects dropped',
    '{"orderId":"h22XCfLEQB3","amount":100.10,"rate":1.0E+2,"total":12345678901234567890.5,' +
      '"paid":true,"late":false,"memo":"a=b","note":"","ext":null,"list":[1],"order":{"a":1}}',
    'amount=100.10&late=false&memo=a=b&orderId=h22XCfLEQB3&paid=true&rate=1.0E+2&tenant=eu1' +
      '&total=12345678901234567890.5&',
    true,
  ),
  signedBodyVector(
    'fields under order are not signed',
    '{"order":{"orderId":"h22XCfLEQB3","orderStatus":3}}',
    'tenant=eu1&',
    true,
  ),
  signedBodyVector(
    'a field with the name of a query parameter',
    '{"orderId":"h22XCfLEQB3","tenant":"eu1"}',
    'orderId=h22XCfLEQB3&tenant=eu1&',
    false,
  ),
  signedBodyVector(
    'a field with the name of a header',
    '{"orderId":"h22XCfLEQB3","x-fp-nonce":"482910"}',
    'orderId=h22XCfLEQB3&tenant=eu1&',
    false,
  ),
  signedBodyVector(
    'a value with & and a = after it',
    '{"memo":"a&paid=true","orderId":"h22XCfLEQB3"}',
    'memo=a&paid=true&orderId=h22XCfLEQB3&tenant=eu1&',
    false,
  ),
  signedBodyVector(
    'a name that occurs twice',
    '{"orderId":"h22XCfLEQB3","orderId":"other"}',
    'orderId=other&tenant=eu1&',
    false,
  ),
];

/** Returns the test data that is published with docs/signing.md. */
export function createSigningVectors() {
  const { apiPrivateKey, apiPublicKey, webhookPublicKey } = vectors.keys;
  const api = [...[0, 1, 3, 6].flatMap((index) => withText(vectors.api[index])), ...specialApi];
  const webhook = [
    ...[0, 1, 7]
      .flatMap((index) => withText(vectors.webhook[index]))
      .map((vector) => ({ ...vector, valid: true })),
    ...withText(vectors.webhook[2]).map(forged),
  ];
  return {
    about:
      'Test data for docs/signing.md. The keys are public test keys: never use them elsewhere.',
    keys: { apiPrivateKey, apiPublicKey, webhookPublicKey },
    ext: [ext, 'order 7 / café (A*)', 'q1Jz8sUjXo2dR4TkWb7n9A'].map((value) => ({
      value,
      encoded: encodeURIComponent(value),
    })),
    widget: [...independent, ...special],
    api,
    webhook,
    signedBody: signedBodyVectors,
  };
}
