import { describe, expect, it } from 'vitest';
import { createQueryParts } from '../../../../src/react/quote/hooks/createQueryParts.js';

const { checkVersion, toLibraryError } = createQueryParts(fetch as never);

describe('createQueryParts', () => {
  it('names the version that prices need in a shop with react-query 4, which has no QueryClientContext', () => {
    expect(() => checkVersion(undefined as never)).toThrow(
      'Prices need @tanstack/react-query 5, and another version is installed: npm install @tanstack/react-query@5.',
    );
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
