import type { ParamsFor } from '../../protocol/widget/OnRampParams.js';
import type { ExtraParams } from '../../protocol/widget/parseExtraParams.js';
import type { Widget } from '../../protocol/widget/WidgetParameter.js';

/** The options of {@link createWidgetSigner}. */
export interface WidgetSignerOptions {
  /** Partner ID issued at onboarding. */
  readonly partnerId: string;
  /** The SecretKey issued at onboarding. A missing key is refused. */
  readonly secretKey: string | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Parameters of the service that section 4.7 does not list. Names of its table are refused here. */
export interface SignExtras {
  /** Sent, not signed. */
  readonly extraParams?: ExtraParams | undefined;
  /** Sent and signed. */
  readonly extraSignedParams?: ExtraParams | undefined;
}

/** The signed parameters of one opening of a widget. */
export interface SignedWidget {
  /** Every parameter to send, as plain values; `signature` is plain base64. */
  readonly params: Record<string, string>;
  /** The exact text that was signed (section 5.3). */
  readonly payload: string;
}

/** A signer of widget parameters. It holds the SecretKey, so it runs on the backend only. */
export interface WidgetSigner {
  readonly partnerId: string;
  /**
   * Signs the parameters of one opening, with a new timestamp and nonce.
   *
   * @throws RampError `ERR_PARAMS_INVALID` with `issues` for unknown names, for missing or malformed values,
   * and for values that could be read as other parameters under the same signature.
   */
  sign<W extends Widget>(widget: W, params: ParamsFor<W>, extras?: SignExtras): SignedWidget;
}
