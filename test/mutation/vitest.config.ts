import { defineConfig } from 'vitest/config';

/**
 * The tests that `npm run mutation` runs against the mutants of one group. Tests of built code and of
 * processes do not reach a mutant; the long ones say nothing that a short one does not say sooner.
 */
export default defineConfig({
  test: {
    environment: 'node',
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    exclude: [
      'test/server/{webhook-flood,webhook-mutations,partner-api-and-sandbox}.test.ts',
      'test/server/orders/{arrivals,killed-sweep,lost-webhooks}.test.ts',
      'test/server/sql/{kept-file,kill,killed-sweep,two-instances,two-trackers}.test.ts',
      'test/server/sql/{agrees-with-memory,arrivals,database-stopped,statement-faults}.test.ts',
    ],
    // A mutant that waits for ever ends by Stryker's own timeout.
    ...(process.env.MUTATION_POSTGRES && { testTimeout: 60_000, hookTimeout: 60_000 }),
    globalSetup: process.env.MUTATION_POSTGRES ? ['test/support/postgres-server.ts'] : [],
  },
});
