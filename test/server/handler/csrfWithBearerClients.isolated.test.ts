import { vi } from 'vitest';

// Runs the same tests with handlers that also accept bearer clients, because this option must change nothing for pages.
vi.mock('../../support/server/createTestHandler.js', async (importOriginal) => {
  const original =
    await importOriginal<typeof import('../../support/server/createTestHandler.js')>();
  return {
    ...original,
    createTestHandler: (...[options, runtime]: Parameters<typeof original.createTestHandler>) =>
      original.createTestHandler({ allowBearer: true, ...options }, runtime),
  };
});

await import('./origins.test.js');
await import('./invalidRequests.test.js');
await import('./openCheckout.test.js');
await import('./createRampHandler.test.js');
