import { describe, expect, it } from 'vitest';
import { toLibraryError } from '../../../../src/react/quote/hooks/fetchQuery.js';

describe('toLibraryError', () => {
  it('names the version that prices need when another version is installed', () => {
    expect(toLibraryError(undefined)).toMatchObject({
      code: 'ERR_CONFIG_INVALID',
      message:
        'Prices need @tanstack/react-query 5, and another version is installed: npm install @tanstack/react-query@5.',
    });
  });

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
