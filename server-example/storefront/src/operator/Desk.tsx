import { Cases } from './Cases.js';
import { Orders } from './Orders.js';
import { Sweeps } from './Sweeps.js';
import { useDesk } from './useDesk.js';
import { Webhooks } from './Webhooks.js';

/** All that the operator sees. It refreshes by itself, and says aloud what is new alone. */
export function Desk({ onSignedOut }: { onSignedOut: () => void }) {
  const desk = useDesk(onSignedOut);
  const { overview, orders, standing, isMore, isLost, said } = desk;
  return (
    <>
      <div className="desk-head">
        <p className="lead">Orders as the service lists them, and what the shop has done.</p>
        <button type="button" className="quiet-button" onClick={desk.refresh}>
          Refresh
        </button>
      </div>
      <p className="unseen" role="status">
        {said}
      </p>
      {isLost && (
        <p className="unreachable" role="alert">
          The server does not answer. What stands here may be old; it is asked again by itself.
        </p>
      )}
      {overview && <Cases overview={overview} onHandled={desk.handle} />}
      <Orders
        orders={orders}
        standing={standing}
        isMore={isMore}
        onStanding={desk.choose}
        onMore={desk.showMore}
      />
      {overview && (
        <div className="desk-pair">
          <Sweeps sweep={overview.sweep} />
          <Webhooks webhooks={overview.webhooks} />
        </div>
      )}
    </>
  );
}
