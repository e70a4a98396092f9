import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildWidgetPayload,
  buildWidgetUrl,
  parseWidgetUrl,
  type Widget,
  widgetParameters,
} from '../../../src/protocol/index.js';
import { verifyWidgetQuery } from '../../../src/sandbox/checkout/verifyWidgetQuery.js';
import { createWidgetSigner } from '../../../src/server/index.js';
import { arbitraryParams } from '../../support/server/arbitraryParams.js';
import { caseStep } from '../../support/server/sampleCases.js';
import { testRuntime } from '../../support/server/testRuntime.js';

const partnerId = 'e6m50fei5oNM2igr';
const secretKey = 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D';
const nowSeconds = 1_986_217_096;
const signer = createWidgetSigner(
  { partnerId, secretKey },
  testRuntime({ now: () => nowSeconds * 1000 }),
);
const service = { partnerId, secretKey, nowSeconds, toleranceSeconds: 300 };

const verify = (params: Record<string, string>) =>
  verifyWidgetQuery(new URL(buildWidgetUrl('https://pay.example', params)).search, service);

const signedNamesIn = (widget: Widget, params: Record<string, string>) =>
  widgetParameters
    .filter(
      (row) =>
        (row.widgets as readonly string[]).includes(widget) &&
        row.signed === 'premium' &&
        params[row.name],
    )
    .map((row) => row.name);

/** Replaces one character. A digit becomes another digit, so that the value stays in a valid format. */
function changed(value: string, which: number): string {
  const characters = [...value];
  const at = which % characters.length;
  const old = characters[at] as string;
  characters[at] = /\d/.test(old) ? String((Number(old) + 1) % 10) : old === 'a' ? 'b' : 'a';
  return characters.join('');
}

describe('The widget signer and verifyWidgetQuery, which share no signing code', () => {
  it('agree on any parameters, and the sandbox refuses them with one changed character', () => {
    fc.assert(
      fc.property(arbitraryParams, fc.nat(), fc.nat(), ({ widget, params }, whichName, whichAt) => {
        const signed = signer.sign(widget, params as never);
        const url = buildWidgetUrl('https://pay.example', signed.params);
        const read = parseWidgetUrl(url).params;
        expect(read).toEqual(signed.params);
        expect(buildWidgetPayload(widget, read)).toBe(signed.payload);
        expect(verify(signed.params)).toMatchObject({ ok: true, widget, tier: 'premium' });

        const names = signedNamesIn(widget, signed.params);
        const name = names[whichName % names.length] as string;
        const value = signed.params[name] as string;
        const tampered = { ...signed.params, [name]: changed(value, whichAt) };
        expect(verify(tampered)).toMatchObject({ ok: false, code: 10003 });
      }),
      { numRuns: 10_000 / caseStep(10) },
    );
  }, 120_000);

  it('refuses a change at every position of every signed value, its removal and its duplication', () => {
    fc.assert(
      fc.property(arbitraryParams, ({ widget, params }) => {
        const signed = signer.sign(widget, params as never).params;
        for (const name of signedNamesIn(widget, signed)) {
          const value = signed[name] as string;
          for (let at = 0; at < value.length; at++) {
            const result = verify({ ...signed, [name]: changed(value, at) });
            expect([name, result.ok]).toEqual([name, false]);
          }
          const { [name]: _, ...without } = signed;
          expect([name, verify(without).ok]).toEqual([name, false]);
          const twice = `${new URL(buildWidgetUrl('https://pay.example', signed)).search}&${name}=x`;
          expect(verifyWidgetQuery(twice, service).ok).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('accepts any unsigned value, and never reads it as a signed one', () => {
    const signed = signer.sign('on-ramp', { walletAddress: '0xF0' }).params;
    expect(verify({ ...signed, amount: '5', email: 'x' })).toMatchObject({ ok: true });
    expect(verify({ ...signed, walletAddressLocked: '1' })).toMatchObject({
      ok: false,
      code: 10003,
    });
    expect(verify({ ...signed, ext: 'mine' })).toMatchObject({ ok: false, code: 10003 });
  });
});
