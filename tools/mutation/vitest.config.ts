import { defineConfig } from 'vitest/config';

/**
 * The tests that `run.mjs` runs against the mutants of one group. Tests of built code and of other processes
 * are excluded, because they do not run the mutants. Long tests are excluded, because short tests detect the same
 * mutants sooner.
 */
export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: 'test/support/fixedSeed.ts',
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    exclude: [
      'test/server/handler/webhook.flood.isolated.test.ts',
      'test/server/webhooks/createWebhookVerifier.mutations.test.ts',
      'test/server/partner-api/createPartnerApi.sandbox.test.ts',
      'test/server/orders/{changeArrival,killedSync,tracker/lostWebhooks}.test.ts',
      'test/server/sql/{sqlOrderStore.equivalence,faults/changeArrival}.test.ts',
      'test/server/sql/faults/{long/*,lockedFile,twoInstances}.test.ts',
      'test/server/sql/faults/{databaseOutage,statementFaults}.test.ts',
    ],
    // These limits exceed Stryker's own timeout, so Stryker is the one that ends a mutant that waits forever.
    ...(process.env.MUTATION_POSTGRES && { testTimeout: 60_000, hookTimeout: 60_000 }),
    globalSetup: process.env.MUTATION_POSTGRES ? ['test/support/database/postgresSetup.ts'] : [],
  },
});
