/**
 * Tests a shop's backend against a simulated service, without a network, in Jest and Vitest.
 *
 * @module
 */

export type { SandboxPayment } from '../sandbox/checkout/payInWidget.js';
export type { WebhookFault } from '../sandbox/faults.js';
export type { SandboxNftDetails, SandboxOrder } from '../sandbox/orders.js';
export {
  createTestBackend,
  type TestBackend,
  type TestBackendOptions,
  type TestCheckout,
  type TestCheckoutRequest,
  type TestFault,
  type TestReview,
  type TestShopper,
} from './createTestBackend.js';
export { type FakeProposal, type FakeSigner, fakeSigner } from './fakeSigner.js';
export { type SignedWebhookOptions, signedWebhook, type TestWebhook } from './signedWebhook.js';
