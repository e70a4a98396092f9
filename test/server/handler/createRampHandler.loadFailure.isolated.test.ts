import { generateKeyPairSync } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createPartnerApi } from '../../../src/server/index.js';
import { callHandler, createTestHandler } from '../../support/server/createTestHandler.js';

const thrown = new Error('too many open files');

/** Makes the import of a module fail, as it does when the process has no file handle left. */
function failImport(path: string) {
  vi.doMock(path, () => {
    throw thrown;
  });
  onTestFinished(() => void vi.doUnmock(path));
}

it('createRampHandler reports at start that its routes cannot be loaded, and responds with 500', async () => {
  failImport('../../../src/server/handler/createRampApp.js');
  const onError = vi.fn();
  const handler = createTestHandler({ onError });
  await vi.waitFor(() => expect(onError).toHaveBeenCalled(), 10_000);
  expect(onError.mock.calls).toEqual([
    [expect.objectContaining({ code: 'ERR_INTERNAL', cause: expect.anything() })],
  ]);
  const { response, status, json } = await callHandler(handler);
  expect([status, json.error.code]).toEqual([500, 'ERR_INTERNAL']);
  expect(json.error.message).toMatch(/could not load the routes.*Restart the backend/);
  expect(json.error.message).not.toContain('open files');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

it('createPartnerApi reports at start that its modules cannot be loaded, and its calls reject', async () => {
  failImport('../../../src/server/partner-api/calls.js');
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const api = createPartnerApi({ baseUrl: 'http://127.0.0.1:9', partnerId: 'p1', privateKey });
  await vi.waitFor(() => expect(log).toHaveBeenCalledOnce(), 10_000);
  const failed = { code: 'ERR_INTERNAL', message: expect.stringContaining('Restart the backend') };
  await expect(api.fiatCurrencies()).rejects.toMatchObject(failed);
  await expect(
    api.eachOrder({ startTime: 1, endTime: 2 })[Symbol.asyncIterator]().next(),
  ).rejects.toMatchObject(failed);
});
