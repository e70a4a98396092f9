/** The permissions of the widget's frame. */
export interface FrameOptions {
  /**
   * The features that the widget's frame may use. Append `; publickey-credentials-get` for a service that
   * logs its users in with passkeys.
   *
   * @default 'payment; camera; microphone; clipboard-write'
   */
  readonly allow?: string | undefined;
  /**
   * The sandbox of the widget's frame; `''` allows nothing, `false` everything.
   * @default scripts, its own origin, forms, windows, and to request its own cookies; never to move the page
   */
  readonly sandbox?: string | false | undefined;
  /** How much of the page's address the frame's request reveals. @default 'strict-origin' */
  readonly referrerPolicy?: ReferrerPolicy | undefined;
}
