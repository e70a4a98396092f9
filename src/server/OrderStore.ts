import type { Widget } from '../protocol/widget-parameter.js';

/** What a checkout was granted: written before the widget opens, compared with the order later. */
export interface CheckoutIntent {
  /** 128 random bits, base64url; the order brings it back in `ext`. */
  readonly reference: string;
  readonly widget: Widget;
  /** Who it was granted to, in the partner's own terms (a user or session id). */
  readonly subject: string;
  /** The parameters that the policy granted, without timestamp, nonce and signature. */
  readonly params: Readonly<Record<string, string>>;
  /** The fiat amount the order must have, a decimal string. */
  readonly expectedAmount?: string;
  /** The partner's own data: JSON. */
  readonly metadata?: unknown;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** Remembers which webhooks were verified. */
export interface ReplayMemory {
  /**
   * Keeps the hash of a text until `keepUntil`. Answers whether it is new: of several who ask at once,
   * one is told so. Times are Unix seconds.
   */
  rememberReplay(hash: string, keepUntil: number, now: number): Promise<boolean>;
}

/** Where intents are kept. A store answers only once what it was given is safe. */
export interface OrderStore extends ReplayMemory {
  /** Keeps a new intent. Rejects when its reference is taken. */
  saveIntent(intent: CheckoutIntent): Promise<void>;
  /** The intent with this reference, unless it expired before `now` (Unix seconds). */
  findIntent(reference: string, now: number): Promise<CheckoutIntent | undefined>;
}
