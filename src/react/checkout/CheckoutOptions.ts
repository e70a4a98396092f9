import type { ComponentType } from 'react';
import type { RampMessages } from '../../messages/RampMessages.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutResponse } from '../../protocol/handler/CheckoutResponse.js';
import type { ProposedParams } from '../../protocol/widget/OnRampParams.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';
import type { CheckoutCallbacks, CheckoutEvent } from '../provider/CheckoutEvent.js';

/** What a page asks its backend to sign: the signed parameters alone, as text. */
export interface CheckoutProposal {
  readonly widget: Widget;
  readonly params: ProposedParams;
}

/** What the backend allows: every signed parameter with its signature. Good for one opening. */
export interface SignedCheckout {
  /** The checkout's reference at the backend. */
  readonly reference?: string;
  /** Plain values; `signature` is plain base64. */
  readonly params: Readonly<Record<string, string>>;
  /** How long the signature may be used, counted from receipt. */
  readonly expiresInSeconds?: number;
}

/**
 * Fetches a signature from the partner's backend. {@link createHttpSigner} makes one; any function
 * of this shape will do. What it throws reaches `onError`, as `ERR_SIGNER` unless it is a `RampError`.
 */
export type CheckoutSigner = (
  proposal: CheckoutProposal,
  options: { readonly signal: AbortSignal },
) => Promise<SignedCheckout>;

/**
 * `modal`: a dialog over the page. `inline`: in the page itself. `window`: a window of its own, opened
 * inside the click. `redirect`: in place of the page.
 */
export type CheckoutDisplay = 'modal' | 'inline' | 'window' | 'redirect';

type HeaderRecord = Readonly<Record<string, string>>;

/** Request headers, or a function that returns those of the next request. */
export type RequestHeaders = HeaderRecord | (() => HeaderRecord | Promise<HeaderRecord>);

/** Settings that {@link RampProvider} hands down and every component takes as props too. */
export interface RampSettings {
  /** The service's widget address, without `/home`. `https:`, or `http:` on loopback. */
  readonly widgetUrl?: string | undefined;
  /** Fetches signatures. Without one, and without `api`, the page is a Basic Partner's: unsigned. */
  readonly signer?: CheckoutSigner | undefined;
  /** Base path or URL of the backend's ramp handler; makes a signer when none is given. */
  readonly api?: string | undefined;
  /** For requests to `api`: `include` for a backend on another origin. @default 'same-origin' */
  readonly credentials?: RequestCredentials | undefined;
  /**
   * Headers for requests to `api`, such as a CSRF token. A function is called for each request, each poll and each
   * reconnection of an event stream, so that a token that has expired is replaced; it may return a promise. When it
   * throws or rejects, a button reports `ERR_SIGNER`; any other request fails with `ERR_NETWORK` and is retried.
   */
  readonly headers?: RequestHeaders | undefined;
  /** Texts in place of the English ones. */
  readonly messages?: Partial<RampMessages> | undefined;
  /** The widget's language. @default 'en', by the service */
  readonly language?: string | undefined;
  /** A Basic Partner's public ID, where the service wants one. */
  readonly partnerId?: string | undefined;
  /** How long a fetched signature is kept for a click. @default 60 */
  readonly maxAgeSeconds?: number | undefined;
  /** Hears every event of every checkout: for analytics. A component's own replaces it. */
  readonly onEvent?: ((event: CheckoutEvent) => void) | undefined;
  /**
   * Hears how far each signed checkout is, as the backend under `api` knows it: at first when it was
   * opened, then at each change, also once the widget is closed, until it is over or the component goes
   * away. Several are followed at once, told apart by `reference`. It is the latest render's that is
   * called; after a redirect, once the page is back.
   */
  readonly onStatusChange?: ((answer: CheckoutResponse) => void) | undefined;
}

/** One checkout: what {@link useCheckout} takes. */
export interface CheckoutOptions extends RampSettings, CheckoutCallbacks {
  readonly widget: Widget;
  /** Parameters that are signed when there is a signer, as text. */
  readonly signedParams?: ProposedParams | undefined;
  /** Parameters that are merged in the browser at opening. They never replace a signed one. */
  readonly unsignedParams?: ProposedParams | undefined;
  /** Unsigned parameters that this service has beyond section 4.7 of the service interface. */
  readonly extraParams?: Readonly<Record<string, string>> | undefined;
  /** @default 'modal' */
  readonly display?: CheckoutDisplay | undefined;
  /**
   * The features that the widget's frame may use. Append `; publickey-credentials-get` for a service that
   * logs its users in with passkeys.
   *
   * @default 'payment; camera; microphone; clipboard-write'
   */
  readonly allow?: string | undefined;
  /**
   * What holds the widget's frame back; `''` allows nothing, `false` everything.
   * @default scripts, its own origin, forms, windows, and to request its own cookies; never to move the page
   */
  readonly sandbox?: string | false | undefined;
  /** What the frame's request says of the page's address. @default 'strict-origin' */
  readonly referrerPolicy?: ReferrerPolicy | undefined;
}

/** What is shown beside the button once a checkout was closed that may have been paid. */
export interface CheckoutNotice extends Pick<RampSettings, 'api' | 'credentials' | 'headers'> {
  /** The address of the backend's checkouts; their state is below it. */
  readonly url: string;
  /** `paid`: the backend knows an order. `closed`: the widget was open long enough for a payment. */
  readonly reason: 'paid' | 'closed';
}

/** Where a checkout stands, as the page sees it. */
export interface CheckoutState {
  readonly status: 'idle' | 'signing' | 'open' | 'blocked' | 'error';
  /** With `error` and `blocked`. */
  readonly error?: RampError;
  /** With `blocked`: the address for a visible link, good for one opening. */
  readonly url?: string;
  /** With `blocked`: call it once the link has been used. */
  readonly onLinkClick?: () => void;
  /** The backend's reference of the checkout that was opened last. */
  readonly reference?: string | undefined;
  /** With `idle`, after a checkout that may have been paid. */
  readonly notice?: CheckoutNotice | undefined;
  /** Says what went wrong or what was closed, and offers the way on. Set once its code has loaded. */
  readonly Note?: ComponentType<CheckoutNoteProps>;
}

/** What the note beside the button is given. */
export interface CheckoutNoteProps {
  readonly state: CheckoutState;
  readonly messages: Partial<RampMessages> | undefined;
  readonly onRetry: () => void;
}
