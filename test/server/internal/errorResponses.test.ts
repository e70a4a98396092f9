import { describe, expect, it } from 'vitest';
import { RampError } from '../../../src/protocol/errors/RampError.js';
import { toErrorResponse } from '../../../src/server/internal/errorResponses.js';

describe('toErrorResponse', () => {
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
