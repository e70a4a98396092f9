import { CaseList } from './CaseList.js';
import { OrderTable } from './OrderTable.js';
import { SyncStatus } from './SyncStatus.js';
import { useOperator } from './useOperator.js';
import { WebhookTable } from './WebhookTable.js';

/** All that the operator sees. It refreshes by itself, and says aloud what is new alone. */
export function OperatorDashboard({ onSignedOut }: { onSignedOut: () => void }) {
  const operator = useOperator(onSignedOut);
  const { overview, orders, matchStatus, isMore, isLost, announcement } = operator;
  return (
    <>
      <div className="operator-head">
        <p className="lead">Orders as the service lists them, and what the shop has done.</p>
        <button type="button" className="quiet-button" onClick={operator.refresh}>
          Refresh
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {isLost && (
        <p className="error-message" role="alert">
          The server does not answer. What stands here may be old; it is asked again by itself.
        </p>
      )}
      {overview && <CaseList overview={overview} onHandled={operator.handle} />}
      <OrderTable
        orders={orders}
        matchStatus={matchStatus}
        isMore={isMore}
        onMatchStatusChange={operator.setMatchStatus}
        onMore={operator.showMore}
      />
      {overview && (
        <div className="operator-columns">
          <SyncStatus sweep={overview.sync} />
          <WebhookTable webhooks={overview.webhooks} />
        </div>
      )}
    </>
  );
}
