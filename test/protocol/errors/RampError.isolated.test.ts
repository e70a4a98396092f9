import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RampError } from '../../../src/protocol/errors/RampError.js';

const url = 'https://github.com/partner-ramp/react/blob/HEAD/docs/errors.md#err_params_invalid';
const createError = () => new RampError('ERR_PARAMS_INVALID', 'The parameters are refused.');

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('RampError', () => {
  it('has the URL of the documentation of its code', () => {
    expect(createError().docs).toBe(url);
  });

  it('shows the URL when Node.js prints it', () => {
    expect(inspect(createError())).toContain(url);
  });

  it('does not contain the URL in its message', () => {
    expect(createError().message).toBe('The parameters are refused.');
  });

  it('has no URL under NODE_ENV=production', () => {
    vi.stubEnv('NODE_ENV', 'production');
    expect(createError()).not.toHaveProperty('docs');
  });

  it('has no URL in a browser, where process does not exist', () => {
    vi.stubGlobal('process', undefined);
    const error = createError();
    vi.unstubAllGlobals();
    expect(error).not.toHaveProperty('docs');
  });
});
