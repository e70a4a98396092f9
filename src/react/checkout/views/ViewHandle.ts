/** A shown view. Removing it calls no callback. */
export interface ViewHandle {
  isOpen(): boolean;
  focus(): void;
  remove(): void;
  /** Stops watching the view. */
  detach(): void;
}
