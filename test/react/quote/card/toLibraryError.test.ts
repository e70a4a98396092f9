import { describe, expect, it } from 'vitest';
import { toLibraryError } from '../../../../src/react/quote/card/toLibraryError.js';

describe('toLibraryError', () => {
  it.each([
    "Cannot find package '@tanstack/react-query' imported from page.js",
    "Cannot find module '@tanstack/react-query'",
    "Failed to resolve module specifier '@tanstack/react-query'",
  ])('names the missing package for "%s"', (message) => {
    expect(toLibraryError(new Error(message))).toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message: expect.stringContaining('which is not installed'),
    });
  });

  it('passes any other failure on, such as one of the network', () => {
    const cause = new TypeError('Failed to fetch dynamically imported module');
    expect(toLibraryError(cause)).toBe(cause);
  });
});
