import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  buildWidgetPayload,
  buildWidgetUrl,
  parseWidgetUrl,
  type Widget,
} from '../../../src/protocol/index.js';
import { createWidgetSigner } from '../../../src/server/signing/createWidgetSigner.js';
import { testRuntime } from '../../support/server/testRuntime.js';
import vectors from '../../vectors/signing.json' with { type: 'json' };

interface WidgetVector {
  widget: Widget;
  secretKey: string;
  params: Record<string, string>;
  unsignedParams: Record<string, string>;
  canonical: string;
  signature: string;
  encodedSignature: string;
}

const widgetVectors = vectors.widget as unknown as WidgetVector[];

describe('createWidgetSigner with the vectors of another implementation', () => {
  it('has all vectors', () => {
    expect(widgetVectors).toHaveLength(48);
  });

  it.each(widgetVectors.map((vector, index) => [index, vector] as const))(
    'gives the same payload, signature, encoding and URL for vector %i',
    (_, vector) => {
      const { partnerId = '', timestamp, nonce = '', ...given } = vector.params;
      const all = { ...vector.params, ...vector.unsignedParams };
      expect(buildWidgetPayload(vector.widget, all)).toBe(vector.canonical);

      const signer = createWidgetSigner(
        { partnerId, secretKey: vector.secretKey },
        testRuntime({ now: () => Number(timestamp) * 1000, randomInt: () => Number(nonce) }),
      );
      const tag = vector.widget === 'nft' && { walletAddressTag: '' };
      const params = { ...tag, ...given, ...vector.unsignedParams };
      const signed = signer.sign(vector.widget, params as never);
      expect(signed.payload).toBe(vector.canonical);
      expect(signed.params.signature).toBe(vector.signature);
      expect(signed.params).toEqual({ ...all, signature: vector.signature });

      const url = buildWidgetUrl('https://pay.example', signed.params);
      expect(url).toContain(`signature=${vector.encodedSignature}`);
      expect(parseWidgetUrl(url)).toEqual({
        widgetUrl: 'https://pay.example',
        params: signed.params,
      });
    },
  );

  it('builds the payload of the worked example', () => {
    const { params, canonical, encodedSignature, signature } = vectors.worked;
    expect(buildWidgetPayload('on-ramp', params)).toBe(canonical);
    expect(encodeURIComponent(signature)).toBe(encodedSignature);
  });

  it('sorts by UTF-16 code unit, not by the rules of a locale for capitals, dots and underscores', () => {
    const extra = { Zone: '1', a_b: '2', 'a.b': '3', aB: '4', ab: '5', 'a-b': '6', ZONE: '7' };
    const names = ['ZONE', 'Zone', 'a-b', 'a.b', 'aB', 'a_b', 'ab', 'partnerId', 'walletAddress'];
    const params = { walletAddress: 'w', ...extra, partnerId: 'p' };
    const payload = buildWidgetPayload('on-ramp', params, Object.keys(extra));
    expect(payload.split('&').map((item) => item.split('=')[0])).toEqual(names);
    const signer = createWidgetSigner({ partnerId: 'p', secretKey: 's' });
    const signed = signer.sign('on-ramp', { walletAddress: 'w' }, { extraSignedParams: extra });
    expect(signed.payload.replace(/(nonce|timestamp)=\d+&/g, '')).toBe(payload);
  });

  it('gives the same signature as node:crypto', () => {
    for (const { canonical, secretKey, signature } of widgetVectors)
      expect(createHmac('sha256', secretKey).update(canonical).digest('base64')).toBe(signature);
  });
});
