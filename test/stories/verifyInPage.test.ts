import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { verifyInPage } from '../../.storybook/widget/verifyInPage.js';
import { buildWidgetUrl } from '../../src/protocol/index.js';
import { verifyWidgetQuery } from '../../src/sandbox/verify-widget-query.js';
import { demonstrationPartner } from '../../stories/support/demonstration-partner.js';
import { signCheckout } from '../../stories/support/signCheckout.js';

type Params = Readonly<Record<string, string>>;

const nowSeconds = 1_986_217_096;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowSeconds * 1000 });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each<[string, (signed: Params) => Params]>([
  ['what was signed', (signed) => signed],
  ['another wallet', (signed) => ({ ...signed, walletAddress: '0xbad0' })],
  ['no signature', ({ signature: _, ...rest }) => rest],
  ['another time', (signed) => ({ ...signed, timestamp: '1700000000' })],
  ['a malformed amount', (signed) => ({ ...signed, amount: '1.999' })],
  ['another partner', (signed) => ({ ...signed, partnerId: 'Somebody' })],
  ['nothing at all', () => ({})],
])("the stories' widget and the sandbox's server say the same of %s", async (_, change) => {
  const params = change((await signCheckout({ widget: 'on-ramp', params: {} })).params);
  const query = new URL(buildWidgetUrl('https://pay.example', params)).search;
  const service = { ...demonstrationPartner, nowSeconds, toleranceSeconds: 300 };
  expect(await verifyInPage(query)).toEqual(verifyWidgetQuery(query, service));
});
