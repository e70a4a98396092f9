/** The skeleton of the card, with about its height. */
export const QuoteSkeleton = () => (
  <div className="ramp-quote-skeleton" aria-hidden="true">
    <div className="ramp-quote-row ramp-quote-placeholder" />
    <div className="ramp-quote-divider" />
    <div className="ramp-quote-row ramp-quote-placeholder" />
    <div className="ramp-quote-methods ramp-quote-placeholder" />
  </div>
);
