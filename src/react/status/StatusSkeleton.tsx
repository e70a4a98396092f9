/** The skeleton of a title, a hint and three steps. */
export const StatusSkeleton = () => (
  <div className="ramp-status-skeleton" aria-hidden="true">
    <div />
    <div />
    <div />
    <div />
    <div />
  </div>
);
