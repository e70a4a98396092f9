import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type SandboxQuirks, startSandbox } from '../../../src/sandbox/index.js';
import {
  parseResponses,
  parseWireData,
  type RecordedResponses,
  recordResponses,
} from './recordResponses.js';

vi.mock(
  '../../../src/sandbox/checkout/readWidgetFiles.js',
  () => import('../../support/sandbox/fakeWidgetFiles.js'),
);

const quirkNames = [
  'codeAsText',
  'paymentOptionsAsObject',
  'timesAsText',
  'countsAsText',
  'decimalsAsText',
  'emptyListAsText',
  'nonceLengths',
] as const satisfies readonly (keyof SandboxQuirks)[];
const quirky: readonly (true | Partial<SandboxQuirks>)[] = [
  true,
  ...quirkNames.map((name) => ({ [name]: true })),
];

let plain: RecordedResponses;
beforeAll(async () => {
  plain = await recordResponses();
});

describe('A sandbox with quirks', () => {
  it.each(quirky)('returns values that parse to the same: %j', async (quirks) => {
    const responses = await recordResponses(quirks);
    const [odd, even] = [parseResponses(responses), parseResponses(plain)];
    const single = quirks === true || quirks.paymentOptionsAsObject;
    for (const name of ['price', 'bankPrice', 'nftPrice'] as const) {
      const chosen = name === 'bankPrice' ? 'BANK_CARD_TRANSFER' : 'CREDIT_DEBIT_CARD';
      // With paymentOptionsAsObject a quote has only its chosen option, so compare only this option.
      const options = even[name].paymentOptions.filter(
        (option) => !single || option.name === chosen,
      );
      even[name] = { ...even[name], paymentOptions: options };
    }
    expect(odd).toEqual(even);
  });

  it('writes each quirk in the observed format', async () => {
    const responses = await recordResponses(true);
    expect(responses.texts.price).toMatch(/^\{"code":"10000",/);
    expect(parseWireData(responses, 'bankPrice')).toMatchObject({
      gasFee: '1.20',
      paymentOptions: { name: 'BANK_CARD_TRANSFER', minAmount: '50.00' },
    });
    expect(parseWireData(responses, 'currency')).toContainEqual(
      expect.objectContaining({
        fiatCurrency: 'CHF',
        paymentOptions: expect.objectContaining({ name: 'CREDIT_DEBIT_CARD' }),
      }),
    );
    expect(parseWireData(responses, 'order')).toMatchObject({
      totalCount: '#1',
      list: [{ finishTime: '1986217096', currencyAmount: '100.00', orderStatus: '#3' }],
    });
    expect(parseWireData(responses, 'noOrder')).toMatchObject({ totalCount: '#0', list: '' });
  });

  it.each([{ codeAsTxt: true }, { codeAsText: 1 }, 'all', ''])(
    'does not start with invalid quirks: %j',
    async (quirks) => {
      await expect(startSandbox({ quirks: quirks as never })).rejects.toMatchObject({
        code: 'ERR_CONFIG_INVALID',
      });
    },
  );
});

it('startSandbox treats an undefined option as absent', async () => {
  const { close, widgetUrl } = await startSandbox({
    port: undefined,
    now: undefined,
    toleranceSeconds: undefined,
    stepMs: undefined,
    settleMs: undefined,
    extraSignedParams: undefined,
    host: undefined,
    quirks: { codeAsText: undefined },
    webhookUrl: undefined,
    needsCookie: undefined,
    log: undefined,
    webhookFault: undefined,
  });
  expect(await (await fetch(`${widgetUrl}/health`)).json()).toEqual({ ok: true });
  await close();
});
