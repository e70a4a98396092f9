import { CaseList } from './CaseList.js';
import { OrderTable } from './OrderTable.js';
import { SyncStatus } from './SyncStatus.js';
import { useOperator } from './useOperator.js';
import { WebhookTable } from './WebhookTable.js';

/** Renders the page of the signed-in operator. It refreshes automatically, and announces only changes. */
export function OperatorDashboard({ onSignedOut }: { onSignedOut: () => void }) {
  const operator = useOperator(onSignedOut);
  const { overview, orders, matchStatus, isMore, hasFailed, announcement } = operator;
  return (
    <>
      <div className="operator-head">
        <p className="lead">Orders at the service, and their status in the shop.</p>
        <button type="button" className="quiet-button" onClick={operator.refresh}>
          Refresh
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {hasFailed && (
        <p className="error-message" role="alert">
          The server is not responding, so this page may be out of date. It retries automatically.
        </p>
      )}
      {overview && <CaseList overview={overview} onClose={operator.closeCase} />}
      <OrderTable
        orders={orders}
        matchStatus={matchStatus}
        isMore={isMore}
        onMatchStatusChange={operator.setMatchStatus}
        onMore={operator.showMore}
      />
      {overview && (
        <div className="operator-columns">
          <SyncStatus report={overview.sync} />
          <WebhookTable webhooks={overview.webhooks} />
        </div>
      )}
    </>
  );
}
