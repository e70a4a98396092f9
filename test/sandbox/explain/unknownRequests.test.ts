import { randomBytes, sign } from 'node:crypto';
import fc from 'fast-check';
import { it } from 'vitest';
import { signRequest } from '../../support/sandbox/signerMistakes.js';
import { sendWebhook, unknownKeys } from '../../support/sandbox/webhookMistakes.js';
import { explainRequest, explainWebhook } from './explainMistakes.js';
import {
  countRuns,
  edit,
  expectUnknown,
  expectUnknownOrExact,
  isLarge,
  word,
} from './randomMismatches.js';

const numRuns = countRuns(3_700);

const requests = fc.record({
  how: fc.constantFrom('bytes', 'key', 'value', 'text', 'edit'),
  value: word,
  other: word,
  large: isLarge,
  change: edit,
});
type RandomRequest = typeof requests extends fc.Arbitrary<infer T> ? T : never;
const createChange = ({ how, other, change }: RandomRequest) => ({
  ...(how === 'bytes' && { sign: () => randomBytes(256) }),
  ...(how === 'key' && {
    sign: (text: string) => sign('sha256', Buffer.from(text), unknownKeys.privateKey),
  }),
  ...(how === 'text' && { wrap: (text: string) => `${text}.${other}` }),
  ...(how === 'edit' && { wrap: change }),
});

it(`explainSignature names none of ${numRuns} random mismatches of API requests`, () => {
  fc.assert(
    fc.property(requests, (random) => {
      const { how, value, other, large } = random;
      const query = large ? { fiatCurrency: value, currencyAmount: '1.50' } : { page: value };
      const path = large ? '/open/api/onramp/price' : '/order';
      const { text, ...request } = signRequest({ query, path }, createChange(random));
      const url = how === 'value' ? `${request.url}x${other}` : request.url;
      const result = explainRequest({ ...request, url });
      if (how === 'edit') expectUnknownOrExact(result, text);
      else expectUnknown(result);
    }),
    { numRuns },
  );
}, 600_000);

it(`explainSignature names none of ${numRuns} random mismatches of webhooks`, () => {
  fc.assert(
    fc.property(requests, (random) => {
      const { how, value, other, large } = random;
      const query = large ? { store: value, level: '1.50' } : {};
      const mistake = { change: { query, path: `/${value}`, ...createChange(random) } };
      const { text, ...webhook } = sendWebhook(mistake);
      const url = how === 'value' ? webhook.url.replace('/shop', `/shop${other}`) : webhook.url;
      const headers =
        how === 'value' ? [...webhook.headers, ['X-Fp-A', other] as const] : webhook.headers;
      const result = explainWebhook({ ...webhook, url, headers });
      if (how === 'edit') expectUnknownOrExact(result, text);
      else expectUnknown(result);
    }),
    { numRuns },
  );
}, 600_000);
