import { describe, expect, it } from 'vitest';
import { partnerId, readOptions } from '../../../src/server/internal/options.js';

const readPartnerId = (id: unknown) =>
  readOptions('createPartnerApi', { partnerId: id }, { partnerId }).partnerId;

describe('the partner ID of options', () => {
  it.each(['p1', 'A.b_c-9'])('returns %s', (id) => {
    expect(readPartnerId(id)).toBe(id);
  });

  it.each([
    ['', /^partnerId of createPartnerApi is missing\. Is its environment variable set\?$/],
    [undefined, /^partnerId of createPartnerApi is missing/],
    ['p 1', /^partnerId of createPartnerApi must be letters, digits.*onboarding\.$/],
    ['p1\n', /^partnerId of createPartnerApi must be/],
    ['p&1', /^partnerId of createPartnerApi must be/],
    [5, /^partnerId of createPartnerApi must be/],
    [null, /^partnerId of createPartnerApi is missing/],
    ['"p1"', /^partnerId of createPartnerApi has quotation marks around it.*Remove them/],
    [Promise.resolve('p1'), /^partnerId of createPartnerApi is a Promise\. Write await/],
    [['p1'], /^partnerId of createPartnerApi must be/],
  ])('refuses %o', (id, message) => {
    expect(() => readPartnerId(id)).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(message),
      }),
    );
  });
});
