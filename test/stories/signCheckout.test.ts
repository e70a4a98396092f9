import { describe, expect, it } from 'vitest';
import { demoPartner } from '../../demo/demoPartner.js';
import { hmacSha256 } from '../../demo/hmacSha256.js';
import { signCheckout } from '../../demo/signCheckout.js';
import { buildWidgetPayload, buildWidgetUrl, type Widget } from '../../src/protocol/index.js';
import { verifyWidgetQuery } from '../../src/sandbox/checkout/verifyWidgetQuery.js';
import vectors from '../vectors/signing.json' with { type: 'json' };

/** Verifies the parameters with the code of the sandbox's server, which computes the HMAC with node:crypto. */
const verdict = (params: Readonly<Record<string, string>>) =>
  verifyWidgetQuery(new URL(buildWidgetUrl('https://pay.example', params)).search, {
    ...demoPartner,
    nowSeconds: Math.floor(Date.now() / 1000),
    toleranceSeconds: 5,
  });

it.each(vectors.widget.map((vector, at) => ({ ...vector, at })))(
  'Web Crypto creates the signature of vector $at',
  async ({ secretKey, canonical, encodedSignature }) => {
    const signature = await hmacSha256(canonical, secretKey);
    expect(encodeURIComponent(signature)).toBe(encodedSignature);
  },
);

describe("the stories' backend", () => {
  it.each<[string, Widget, Record<string, string>]>([
    ['a wallet', 'on-ramp', {}],
    ['a locked wallet', 'on-ramp', { walletAddressLocked: '1' }],
    ['an ext with separators', 'on-ramp', { ext: 'a&b=c größe' }],
    ['an NFT of its listing', 'nft', { merchantUniqueId: 'print-7' }],
    ['NFTs to mint', 'nft', { type: 'MINT', mintQuantity: '3' }],
  ])('signs %s with exactly the parameters that the sandbox accepts', async (_, widget, params) => {
    const signed = await signCheckout({ widget, params });
    expect(verdict(signed.params)).toMatchObject({ ok: true, widget, tier: 'premium' });
    expect(signed.params).toMatchObject(params);
    const other = { ...signed.params, walletAddress: '0xbad0' };
    expect(verdict(other)).toMatchObject({ ok: false, reason: 'signature' });
  });

  it('multiplies the price of minted NFTs by their quantity', async () => {
    const mint = { type: 'MINT', mintQuantity: '3' } as const;
    expect((await signCheckout({ widget: 'nft', params: mint })).params.amount).toBe('0.15');
  });

  it('creates a new signature each time', async () => {
    const proposal = { widget: 'on-ramp', params: { ext: 'the same' } } as const;
    const [first, second] = [await signCheckout(proposal), await signCheckout(proposal)];
    expect(second.params.nonce).not.toBe(first.params.nonce);
    expect(second.params.signature).not.toBe(first.params.signature);
    expect(buildWidgetPayload('on-ramp', second.params)).toContain('ext=the%20same');
  });

  it('refuses an invalid value, with the name of the parameter', async () => {
    const params = { walletAddress: '0x1&walletAddressLocked=1' };
    await expect(signCheckout({ widget: 'on-ramp', params })).rejects.toMatchObject({
      code: 'ERR_PARAMS_INVALID',
      issues: [{ param: 'walletAddress' }],
    });
  });
});
