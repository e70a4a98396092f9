import type { ExtraParams, ParamsFor } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';

/** The options of `createWidgetSigner`. */
export interface WidgetSignerOptions {
  /** The partner ID issued at onboarding. */
  readonly partnerId: string;
  /** The `SecretKey` issued at onboarding. A missing key is refused. */
  readonly secretKey: string | undefined;
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Parameters outside the table of docs/service-interface.md section 4.7. Names of the table are refused. */
export interface SignExtras {
  /** Parameters that are sent and not signed. */
  readonly extraParams?: ExtraParams | undefined;
  /** Parameters that are sent and signed. */
  readonly extraSignedParams?: ExtraParams | undefined;
}

/** The result of signing. */
export interface SignedWidget {
  /** Every parameter to send, as plain values; `signature` is plain base64. */
  readonly params: Record<string, string>;
  /** The exact text that was signed (section 5.3). */
  readonly payload: string;
}

/** A signer of widget parameters. */
export interface WidgetSigner {
  readonly partnerId: string;
  /**
   * Signs the parameters of one widget URL, with a new timestamp and nonce.
   *
   * @throws RampError `ERR_PARAMS_INVALID` with `issues` for unknown names, for missing or malformed values,
   * and for values that could be read as other parameters under the same signature.
   */
  sign<W extends Widget>(widget: W, params: ParamsFor<W>, extras?: SignExtras): SignedWidget;
}
