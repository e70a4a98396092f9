/**
 * The functions of a partner's backend. They hold keys, so a browser bundle must never include this entry.
 *
 * @module
 */
export {
  isRampError,
  RampError,
  type RampErrorCode,
  type RampIssue,
} from '../protocol/errors/RampError.js';
export { createRampHandler } from './handler/createRampHandler.js';
export type { GetSubject, RampHandler, RampHandlerOptions } from './handler/options.js';
export type { CheckoutGrant, CheckoutPolicy, CheckoutRequest } from './handler/policy.js';
export { memoryOrderStore } from './orders/memory/memoryOrderStore.js';
export type {
  MatchStatus,
  OrderMatch,
  OrderRecord,
  QuarantineReason,
} from './orders/store/OrderRecord.js';
export type {
  CheckoutIntent,
  CheckoutOutcome,
  CheckoutRecord,
  CheckoutStore,
  DeliveryStore,
  HandlerStore,
  OrderCursor,
  OrderEvent,
  OrderRecordStore,
  OrderStore,
  PendingChange,
  ReplayStore,
  SyncStateStore,
  TrackerStore,
} from './orders/store/OrderStore.js';
export {
  createOrderTracker,
  type HandlerTracker,
  type OrderTracker,
} from './orders/tracker/createOrderTracker.js';
export type { SyncReport } from './orders/tracker/readList.js';
export type { OrderTrackerOptions } from './orders/tracker/trackerOptions.js';
export { createPartnerApi } from './partner-api/createPartnerApi.js';
export type { OrderRange, OrdersQuery } from './partner-api/eachOrder.js';
export type {
  CallOptions,
  EachOrderOptions,
  PartnerApi,
  PartnerApiOptions,
} from './partner-api/PartnerApi.js';
export { createWidgetSigner } from './signing/createWidgetSigner.js';
export type { RsaKey } from './signing/rsaKeys.js';
export { signRsaSha256, verifyRsaSha256 } from './signing/rsaSha256.js';
export type {
  SignExtras,
  SignedWidget,
  WidgetSigner,
  WidgetSignerOptions,
} from './signing/WidgetSigner.js';
export {
  createWebhookVerifier,
  type VerifiedWebhook,
  type WebhookRequest,
  type WebhookVerifier,
  type WebhookVerifierOptions,
} from './webhooks/createWebhookVerifier.js';
export { WebhookError, type WebhookReason } from './webhooks/WebhookError.js';
export type { WebhookHeaders } from './webhooks/webhookItems.js';
