/**
 * What a partner's backend needs. Holds keys: never reachable from a browser bundle.
 *
 * @module
 */
export { isRampError } from '../protocol/is-ramp-error.js';
export { RampError, type RampErrorCode, type RampIssue } from '../protocol/ramp-error.js';
export type {
  CheckoutGrant,
  CheckoutPolicy,
  CheckoutRequest,
} from './CheckoutPolicy.js';
export { createPartnerApi } from './createPartnerApi.js';
export {
  createRampHandler,
  type RampHandler,
  type RampHandlerOptions,
} from './createRampHandler.js';
export {
  createWebhookVerifier,
  type VerifiedWebhook,
  type WebhookRequest,
  type WebhookVerifier,
  type WebhookVerifierOptions,
} from './createWebhookVerifier.js';
export {
  createWidgetSigner,
  type SignExtras,
  type SignedWidget,
  type WidgetSigner,
  type WidgetSignerOptions,
} from './createWidgetSigner.js';
export type { OrderRange, OrdersQuery } from './eachOrder.js';
export { memoryOrderStore } from './memoryOrderStore.js';
export type {
  CheckoutIntent,
  CheckoutOutcome,
  CheckoutRecord,
  OrderCursor,
  OrderEvent,
  OrderStore,
  PendingChange,
  ReplayStore,
} from './OrderStore.js';
export { createOrderTracker } from './orders/createOrderTracker.js';
export type {
  MatchStatus,
  OrderMatch,
  OrderRecord,
  QuarantineReason,
} from './orders/OrderRecord.js';
export type {
  HandlerTracker,
  OrderTracker,
  OrderTrackerOptions,
  SyncReport,
} from './orders/OrderTracker.js';
export type { CallOptions, EachOrderOptions, PartnerApi, PartnerApiOptions } from './PartnerApi.js';
export type { RsaKey } from './rsa-keys.js';
export { signRsaSha256, verifyRsaSha256 } from './rsaSha256.js';
export type { GetSubject } from './SubjectOf.js';
export { WebhookError, type WebhookReason } from './WebhookError.js';
export type { WebhookHeaders } from './webhookItems.js';
