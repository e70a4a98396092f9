/**
 * Functions for a partner's backend. They hold secret keys, so a browser bundle must never include this entry point.
 *
 * @module
 */
export {
  isRampError,
  RampError,
  type RampErrorCode,
  type RampIssue,
} from '../protocol/errors/RampError.js';
export type { OrderResolution } from '../protocol/handler/CheckoutResponse.js';
export { findFixedAmount } from '../protocol/handler/findFixedAmount.js';
export type { CheckoutSelection, Untrusted } from '../protocol/handler/selection.js';
export {
  createRamp,
  type Ramp,
  type RampOptions,
  type ServerlessOptions,
} from './createRamp.js';
export type { DiagnosticsMessages } from './diagnostics.js';
export type { AllowedOrigins } from './handler/allowedOrigins.js';
export type { RampHandler, WaitUntil } from './handler/options.js';
export type { CheckoutGrant, CheckoutPolicy, CheckoutRequest } from './handler/policy.js';
export type { Caller, GetShopper, Shopper } from './handler/shopper.js';
export { findMismatch, type Mismatch } from './orders/findMismatch.js';
export { memoryOrderStore } from './orders/memory/memoryOrderStore.js';
export type {
  DeliverAt,
  OrderHistory,
  OrderToDeliver,
  OrderToReview,
  ReviewReason,
} from './orders/outcomes.js';
export type {
  MatchStatus,
  OrderMatch,
  OrderRecord,
  QuarantineReason,
} from './orders/store/OrderRecord.js';
export type {
  Checkout,
  CheckoutCursor,
  CheckoutOutcome,
  CheckoutRecord,
  CheckoutsQuery,
  CheckoutsResult,
  OrderStore,
  PendingChange,
  PurgeLimits,
  StoredSyncState,
  StorePartner,
  SyncWork,
  SyncWorkQuery,
} from './orders/store/OrderStore.js';
export type { SyncStatus } from './orders/tracker/createOrderTracker.js';
export type { SyncReason } from './orders/tracker/plan.js';
export type { SyncRun } from './orders/tracker/runSync.js';
export {
  type CallOptions,
  createPartnerApi,
  type PartnerApi,
  type PartnerApiOptions,
} from './partner-api/createPartnerApi.js';
export type { EachOrderOptions, OrderRange, OrdersQuery } from './partner-api/orders.js';
export {
  type AsyncWidgetSigner,
  createWidgetSigner,
  type SecretKey,
  type SignExtras,
  type SignedWidget,
  type WidgetSigner,
  type WidgetSignerOptions,
} from './signing/createWidgetSigner.js';
export type { SignMessage } from './signing/externalKey.js';
export { type RsaKey, signRsaSha256, verifyRsaSha256 } from './signing/rsa.js';
export type { ChainTable, WalletFamily } from './wallets/chains.js';
export {
  chooseWallet,
  findWalletIssue,
  readSelected,
  type WalletIssue,
  type WalletOptions,
  type Wallets,
} from './wallets/wallets.js';
export {
  createWebhookVerifier,
  type VerifiedWebhook,
  type WebhookRequest,
  type WebhookVerifier,
  type WebhookVerifierOptions,
} from './webhooks/createWebhookVerifier.js';
export { WebhookError, type WebhookReason } from './webhooks/WebhookError.js';
export type { WebhookHeaders } from './webhooks/webhookItems.js';
