import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.resetModules();
});

const expected = { expectedAmount: '100.00', expectedFiatCurrency: 'EUR' };

/** Opens two checkouts after reloading all modules, because a policy is reported once per process. */
async function openTwice(selection: object | undefined, grant: object = expected) {
  vi.resetModules();
  const { callHandler, createTestHandler, wallet } = await import(
    '../../support/server/createTestHandler.js'
  );
  const onError = vi.fn();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const policy = () => ({ params: { walletAddress: wallet }, ...grant });
  const handler = createTestHandler({ policy, onError });
  for (let i = 0; i < 2; i++)
    expect((await callHandler(handler, { body: { widget: 'on-ramp', selection } })).status).toBe(
      201,
    );
  const find = (calls: readonly unknown[][]) =>
    calls.flat().filter((text) => `${text}`.includes('only starts with'));
  return { reported: find(onError.mock.calls), warned: find(warn.mock.calls) };
}

describe('a policy that expects the default amount of the page', () => {
  it('is reported once in production, and its checkouts are signed', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { reported, warned } = await openTwice({ amount: '100' });
    expect([reported, warned]).toEqual([
      [expect.objectContaining({ code: 'ERR_CONFIG_INVALID' })],
      [],
    ]);
  });

  it('is warned about once in development', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    const { reported, warned } = await openTwice({ amount: '100' });
    expect([reported.length, warned.length]).toEqual([0, 1]);
    expect(warned[0]).toContain('Pass amountFixed');
  });

  it.each([
    ['the amount is fixed', { amount: '100', amountFixed: '100' }, expected],
    ['the policy expects an amount of its own', { amount: '50' }, expected],
    ['the policy expects nothing', { amount: '100' }, {}],
    ['the page sends no selection', undefined, expected],
  ])('is not reported if %s', async (_, selection, grant) => {
    vi.stubEnv('NODE_ENV', 'production');
    expect((await openTwice(selection, grant)).reported).toEqual([]);
  });
});
