import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.resetModules();
});

/** Creates two handlers after reloading all modules, because a missing api is reported once per process. */
async function createTwoHandlers(options: object) {
  vi.resetModules();
  const { createTestHandler } = await import('../../support/server/createTestHandler.js');
  const { memoryOrderStore } = await import('../../../src/server/index.js');
  const onError = vi.fn();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  for (let i = 0; i < 2; i++)
    createTestHandler({ store: memoryOrderStore(), onError, getSubject: () => 'u1', ...options });
  const find = (calls: readonly unknown[][]) =>
    calls.flat().filter((text) => `${text}`.includes('has no api'));
  return { reported: find(onError.mock.calls), warned: find(warn.mock.calls) };
}

describe('createRampHandler with getSubject and without api', () => {
  it('reports once in production that checkouts cannot be continued', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { reported, warned } = await createTwoHandlers({});
    expect([reported, warned]).toEqual([
      [expect.objectContaining({ code: 'ERR_CONFIG_INVALID' })],
      [],
    ]);
  });

  it('warns once in development', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    const { reported, warned } = await createTwoHandlers({});
    expect([reported, warned.length]).toEqual([[], 1]);
  });

  it('is silent if pages cannot see checkouts anyway', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { reported } = await createTwoHandlers({ getSubject: undefined });
    expect(reported).toEqual([]);
  });
});
