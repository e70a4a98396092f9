// Measures the overhead of building and signing an API request. The baseline calls only crypto.sign, with the finished
// text and a parsed key.
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { buildRequestPayload } from '@partner-ramp/react/protocol';
import { signRsaSha256 } from '@partner-ramp/react/server';
import { compareTimes } from './compareTimes.mjs';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const key = createPrivateKey(privateKey);
const url =
  'https://api.example/open/api/onramp/price?fiatCurrency=USD&currencyAmount=100&cryptoCurrencyCode=USDT_ERC20';
const headers = {
  'Content-Type': 'application/json',
  'X-Fp-Version': 'v1.0',
  'X-Fp-Timestamp': '1986217096',
  'X-Fp-Nonce': '931496',
  'X-Fp-Partner-Id': 'e6m50fei5oNM2igr',
};
const text = buildRequestPayload({ method: 'GET', url, headers });

compareTimes('sign an API request', {
  ours: () => signRsaSha256(buildRequestPayload({ method: 'GET', url, headers }), key),
  base: () => sign('sha256', Buffer.from(text), key).toString('base64'),
  baseName: 'plain crypto.sign',
  limit: 1.2,
  times: 60,
});
