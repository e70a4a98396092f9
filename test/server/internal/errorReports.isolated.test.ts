import { afterEach, describe, expect, it, vi } from 'vitest';
import { RampError } from '../../../src/protocol/errors/RampError.js';
import { logError } from '../../../src/server/internal/errorReports.js';

function log(error: unknown): readonly unknown[] {
  const console_ = vi.spyOn(console, 'error').mockImplementation(() => {});
  logError(error);
  const [printed = []] = console_.mock.calls;
  console_.mockRestore();
  return printed;
}

afterEach(() => vi.unstubAllEnvs());

describe('logError', () => {
  it('logs the error alone in development, because it has the URL of its documentation', () => {
    const error = new RampError('ERR_INTERNAL', 'The store failed.');
    expect(log(error)).toEqual(['[partner-ramp]', error]);
  });

  it('adds the URL of the documentation in production', () => {
    vi.stubEnv('NODE_ENV', 'production');
    const error = new RampError('ERR_INTERNAL', 'The store failed.');
    expect(log(error)).toEqual([
      '[partner-ramp]',
      error,
      'https://github.com/partner-ramp/react/blob/HEAD/docs/errors.md#err_internal',
    ]);
  });

  it('logs any other error without a URL', () => {
    const error = new Error('No code.');
    expect(log(error)).toEqual(['[partner-ramp]', error]);
  });
});
