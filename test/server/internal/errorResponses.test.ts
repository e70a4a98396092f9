import { afterEach, describe, expect, it, vi } from 'vitest';
import { RampError } from '../../../src/protocol/errors/RampError.js';
import { toErrorResponse } from '../../../src/server/internal/errorResponses.js';

afterEach(() => vi.unstubAllEnvs());

describe('toErrorResponse', () => {
  it.each([
    ['development', 'createRamp needs a policy.'],
    ['production', 'The backend is not configured correctly. Its log says what to correct.'],
  ])('in %s, has of a configuration error the message "%s"', (mode, message) => {
    vi.stubEnv('NODE_ENV', mode);
    const error = new RampError('ERR_CONFIG_INVALID', 'createRamp needs a policy.');
    expect(toErrorResponse(error)).toEqual({
      status: 500,
      body: { error: { code: 'ERR_CONFIG_INVALID', message } },
    });
  });

  it('returns the code, the message and the issues, and no other property of the error', () => {
    const issues = [{ param: 'walletAddress', message: 'is required' }];
    const cause = new Error('The cause stays on the server.');
    const error = new RampError('ERR_PARAMS_INVALID', 'Refused.', { issues, cause });
    expect(error.docs).toMatch(/errors\.md/);
    expect(toErrorResponse(error)).toEqual({
      status: 400,
      body: { error: { code: 'ERR_PARAMS_INVALID', message: 'Refused.', issues } },
    });
  });
});
