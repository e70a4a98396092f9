import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { it } from 'vitest';
import { signedParams, signWidgetUrl } from '../../support/sandbox/signerMistakes.js';
import { explainUrl } from './explainMistakes.js';
import {
  countRuns,
  edit,
  expectUnknown,
  expectUnknownOrExact,
  isLarge,
  word,
} from './randomMismatches.js';

const numRuns = countRuns(2_600);

it(`explainSignature names none of ${numRuns} random mismatches of widget URLs`, () => {
  const { ext, walletAddressLocked, ...few } = signedParams;
  fc.assert(
    fc.property(
      fc.constantFrom('bytes', 'key', 'value', 'text', 'edit'),
      fc.record({ nonce: fc.nat({ max: 999_999 }).map(String), walletAddress: word }),
      word,
      isLarge,
      edit,
      fc.constantFrom(16, 20, 31, 32, 32, 32, 48, 64),
      (how, values, other, large, change, length) => {
        const params = { ...(large ? { ...signedParams, ext: other } : few), ...values };
        const { url, text } = signWidgetUrl(
          { params },
          how === 'bytes' ? { sign: () => randomBytes(length) } : {},
          how === 'key' ? { key: randomBytes(24).toString('base64') } : {},
          how === 'text' ? { wrap: (joined) => `${joined}.${other}` } : {},
          how === 'edit' ? { wrap: change } : {},
        );
        const sent = how === 'value' ? url.replace('&nonce=', `&nonce=7${other.length}`) : url;
        if (how === 'edit') expectUnknownOrExact(explainUrl(sent), text);
        else expectUnknown(explainUrl(sent));
      },
    ),
    { numRuns },
  );
}, 600_000);
