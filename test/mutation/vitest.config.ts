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
      'test/server/handler/routes/webhook/createWebhookRoutes.flood.test.ts',
      'test/server/webhooks/createWebhookVerifier.mutations.test.ts',
      'test/server/partner-api/createPartnerApi.sandbox.test.ts',
      'test/server/orders/{changeArrival,killedSync,tracker/lostWebhooks}.test.ts',
      'test/server/sql/{sqlOrderStore.equivalence,changeArrival}.test.ts',
      'test/server/sql/faults/{lockedFile,killedProcess,killedSync,twoInstances,twoTrackers}.test.ts',
      'test/server/sql/faults/{databaseOutage,statementFaults}.test.ts',
    ],
    // A mutant that waits for ever ends by Stryker's own timeout.
    ...(process.env.MUTATION_POSTGRES && { testTimeout: 60_000, hookTimeout: 60_000 }),
    globalSetup: process.env.MUTATION_POSTGRES ? ['test/support/database/postgresSetup.ts'] : [],
  },
});
