/** The outline of a title, a hint and three steps until they are there. */
export const StatusSkeleton = () => (
  <div className="ramp-status-skeleton" aria-hidden="true">
    <div />
    <div />
    <div />
    <div />
    <div />
  </div>
);
