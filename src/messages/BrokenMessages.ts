/** The texts that replace a component that cannot be shown. */
export interface BrokenMessages {
  /** Shown if the page knows no checkout. */
  readonly broken: string;
  /** `{reference}`: shown with the reference of the checkout, or of the last one that this tab opened. */
  readonly brokenCheckout: string;
}

/**
 * The English texts that replace a component that cannot be shown. They are in a separate file, because the entry chunk
 * needs them without the texts of the other components.
 */
export const brokenEnglish: BrokenMessages = {
  broken: "This part of the page isn't working. Reload the page.",
  brokenCheckout:
    "This part of the page isn't working. Reload the page to see your checkout. If you have paid, don't pay again. Reference: {reference}",
};
