import { expect, it, onTestFinished, vi } from 'vitest';
import { callHandler, createTestHandler } from '../../support/server/createTestHandler.js';

it('createRampHandler returns 500 and calls onError when its routes cannot be loaded', async () => {
  const thrown = new Error('chunk is missing');
  vi.doMock('../../../src/server/handler/createRampApp.js', () => ({
    createRampApp: () => {
      throw thrown;
    },
  }));
  onTestFinished(() => void vi.doUnmock('../../../src/server/handler/createRampApp.js'));
  const onError = vi.fn();
  const { response, status, json } = await callHandler(createTestHandler({ onError }));
  expect([status, json.error.code]).toEqual([500, 'ERR_INTERNAL']);
  expect(json.error.message).not.toContain('chunk');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(onError.mock.calls).toEqual([[thrown]]);
});
