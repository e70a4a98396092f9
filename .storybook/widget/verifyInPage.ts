import { validateWidgetQuery } from '../../src/sandbox/judge-widget-query.js';
import { readWidgetQuery } from '../../src/sandbox/read-widget-query.js';
import { demoPartner } from '../../stories/support/demonstration-partner.js';
import { hmacSha256 } from '../../stories/support/hmacSha256.js';

const TOLERANCE_SECONDS = 300;

/** Verifies a widget URL's query by the sandbox's rules, with the demonstration key. */
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
