import { describe, expect, it } from 'vitest';
import { partnerId, readOptions } from '../../../src/server/internal/options.js';

const readPartnerId = (id: unknown) =>
  readOptions('createPartnerApi', { partnerId: id }, { partnerId }).partnerId;

describe('the partner ID of options', () => {
  it.each(['p1', 'A.b_c-9'])('returns %s', (id) => {
    expect(readPartnerId(id)).toBe(id);
  });

  it.each([
    ['', /^partnerId is missing\. Is its environment variable set\?$/],
    [undefined, /^partnerId is missing/],
    ['p 1', /^partnerId must be letters, digits.*onboarding\.$/],
    ['p1\n', /^partnerId must be/],
    ['p&1', /^partnerId must be/],
    [5, /^partnerId must be/],
    [null, /^partnerId is missing/],
    ['"p1"', /^partnerId has quotation marks around it.*Remove them/],
    [Promise.resolve('p1'), /^partnerId is a Promise\. Write await/],
    [['p1'], /^partnerId must be/],
  ])('refuses %o', (id, message) => {
    expect(() => readPartnerId(id)).toThrow(
      expect.objectContaining({
        code: 'ERR_CONFIG_INVALID',
        message: expect.stringMatching(message),
      }),
    );
  });
});
