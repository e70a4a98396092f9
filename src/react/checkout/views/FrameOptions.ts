/** The permissions of the widget's frame. */
export interface FrameOptions {
  /**
   * The features that the widget's frame may use. Append `; publickey-credentials-get` for a service whose
   * users sign in with passkeys.
   *
   * @default 'payment; camera; microphone; clipboard-write'
   */
  readonly allow?: string | undefined;
  /**
   * The sandbox of the widget's frame; `''` allows nothing, `false` removes the sandbox.
   * @default scripts, its own origin, forms, popups and access to its own cookies; never navigation of the page
   */
  readonly sandbox?: string | false | undefined;
  /** How much of the page's URL the frame's request reveals. @default 'strict-origin' */
  readonly referrerPolicy?: ReferrerPolicy | undefined;
}
