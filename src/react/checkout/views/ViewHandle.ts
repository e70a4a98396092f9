/** A view that is shown. It calls nothing when it is removed. */
export interface ViewHandle {
  isOpen(): boolean;
  focus(): void;
  remove(): void;
  /** Stops watching it. */
  detach(): void;
}
