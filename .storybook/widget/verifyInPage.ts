import { demoPartner } from '../../demo/demoPartner.js';
import { hmacSha256 } from '../../demo/hmacSha256.js';
import {
  readWidgetQuery,
  validateWidgetQuery,
} from '../../src/sandbox/checkout/validateWidgetQuery.js';

const TOLERANCE_SECONDS = 300;

/** Verifies the query of a widget URL with the sandbox's rules and the demonstration key. */
export async function verifyInPage(query: string) {
  const { partnerId, secretKey } = demoPartner;
  const read = readWidgetQuery(query);
  const isSigned = read.ok && read.params.signature === (await hmacSha256(read.payload, secretKey));
  const nowSeconds = Math.floor(Date.now() / 1000);
  return validateWidgetQuery(read, isSigned, {
    partnerId,
    nowSeconds,
    toleranceSeconds: TOLERANCE_SECONDS,
  });
}
