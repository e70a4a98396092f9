/**
 * The functions of a partner's backend. They hold keys, so a browser bundle must never include this entry.
 *
 * @module
 */
export { isRampError } from '../protocol/errors/isRampError.js';
export { RampError, type RampErrorCode, type RampIssue } from '../protocol/errors/RampError.js';
export type {
  CheckoutGrant,
  CheckoutPolicy,
  CheckoutRequest,
} from './handler/CheckoutPolicy.js';
export { createRampHandler } from './handler/createRampHandler.js';
export type { GetSubject } from './handler/GetSubject.js';
export type { RampHandler, RampHandlerOptions } from './handler/RampHandlerOptions.js';
export { memoryOrderStore } from './orders/memory/memoryOrderStore.js';
export type {
  CheckoutIntent,
  CheckoutOutcome,
  CheckoutRecord,
  CheckoutStore,
} from './orders/store/CheckoutStore.js';
export type { DeliveryStore, PendingChange } from './orders/store/DeliveryStore.js';
export type {
  MatchStatus,
  OrderMatch,
  OrderRecord,
  QuarantineReason,
} from './orders/store/OrderRecord.js';
export type { OrderCursor, OrderEvent, OrderRecordStore } from './orders/store/OrderRecordStore.js';
export type { HandlerStore, OrderStore, TrackerStore } from './orders/store/OrderStore.js';
export type { ReplayStore } from './orders/store/ReplayStore.js';
export type { SyncStateStore } from './orders/store/SyncStateStore.js';
export { createOrderTracker } from './orders/tracker/createOrderTracker.js';
export type {
  HandlerTracker,
  OrderTracker,
  OrderTrackerOptions,
  SyncReport,
} from './orders/tracker/OrderTracker.js';
export {
  type CallOptions,
  createPartnerApi,
  type PartnerApi,
  type PartnerApiOptions,
} from './partner-api/createPartnerApi.js';
export type { EachOrderOptions, OrderRange, OrdersQuery } from './partner-api/orders.js';
export {
  createWidgetSigner,
  type SignExtras,
  type SignedWidget,
  type WidgetSigner,
  type WidgetSignerOptions,
} from './signing/createWidgetSigner.js';
export { type RsaKey, signRsaSha256, verifyRsaSha256 } from './signing/rsa.js';
export {
  createWebhookVerifier,
  type VerifiedWebhook,
  type WebhookRequest,
  type WebhookVerifier,
  type WebhookVerifierOptions,
} from './webhooks/createWebhookVerifier.js';
export { WebhookError, type WebhookReason } from './webhooks/WebhookError.js';
export type { WebhookHeaders } from './webhooks/webhookItems.js';
