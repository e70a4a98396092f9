import { signRsaSha256 } from '../../src/server/index.js';
import vectors from '../../test/vectors/signing.json' with { type: 'json' };

const headers = {
  'X-Fp-Version': 'v1.0',
  'X-Fp-Timestamp': '1767225600',
  'X-Fp-Nonce': '482910',
  'X-Fp-Partner-Id': 'demo-partner',
};
const FP =
  'x-fp-nonce=482910&x-fp-partner-id=demo-partner&x-fp-timestamp=1767225600&x-fp-version=v1.0';

/** Creates a webhook of a service that signs the body. `items` are the joined items before the headers. */
function vector(name: string, body: string, items: string, valid: boolean) {
  const text = `POSTshop.example/hooks/ramp?${items}${FP}`;
  const signature = signRsaSha256(text, vectors.keys.webhookPrivateKey);
  return {
    ...{ name, method: 'POST', url: 'https://shop.example/hooks/ramp?tenant=eu1' },
    ...{ headers: { ...headers, 'X-Fp-Signature': signature }, body, text, valid },
  };
}

/** Webhooks of services that also sign the body. Invalid ones have a correct signature. */
export const createSignedBodyVectors = [
  vector(
    'numbers with the digits of the JSON; empty fields, null, lists and objects dropped',
    '{"orderId":"h22XCfLEQB3","amount":100.10,"rate":1.0E+2,"total":12345678901234567890.5,' +
      '"paid":true,"late":false,"memo":"a=b","note":"","ext":null,"list":[1],"order":{"a":1}}',
    'amount=100.10&late=false&memo=a=b&orderId=h22XCfLEQB3&paid=true&rate=1.0E+2&tenant=eu1' +
      '&total=12345678901234567890.5&',
    true,
  ),
  vector(
    'fields under order are not signed',
    '{"order":{"orderId":"h22XCfLEQB3","orderStatus":3}}',
    'tenant=eu1&',
    true,
  ),
  vector(
    'a field with the name of a query parameter',
    '{"orderId":"h22XCfLEQB3","tenant":"eu1"}',
    'orderId=h22XCfLEQB3&tenant=eu1&',
    false,
  ),
  vector(
    'a field with the name of a header',
    '{"orderId":"h22XCfLEQB3","x-fp-nonce":"482910"}',
    'orderId=h22XCfLEQB3&tenant=eu1&',
    false,
  ),
  vector(
    'a value with & and a = after it',
    '{"memo":"a&paid=true","orderId":"h22XCfLEQB3"}',
    'memo=a&paid=true&orderId=h22XCfLEQB3&tenant=eu1&',
    false,
  ),
  vector(
    'a name that occurs twice',
    '{"orderId":"h22XCfLEQB3","orderId":"other"}',
    'orderId=other&tenant=eu1&',
    false,
  ),
];
