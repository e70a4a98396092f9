import { DateTime } from '../shop/DateTime.js';
import type { SyncReport } from './OperatorOverview.js';

/** Shows the last sync of this server. Other instances have their own. */
export function SyncStatus({ report }: { report: SyncReport | undefined }) {
  return (
    <section className="operator-section" aria-labelledby="sync">
      <h2 id="sync">Last sync</h2>
      <p className="operator-note">When this server last read the order list.</p>
      {report ? (
        <dl className="facts-list">
          <div>
            <dt>State</dt>
            <dd>
              {report.failed ? 'Failed, will be retried' : report.endedAt ? 'Done' : 'Running'}
            </dd>
          </div>
          <div>
            <dt>Started</dt>
            <dd>
              <DateTime at={report.startedAt} />
            </dd>
          </div>
          <div>
            <dt>Orders finished since</dt>
            <dd>
              <DateTime at={report.from} />
            </dd>
          </div>
          <div>
            <dt>Listed</dt>
            <dd>{report.listed}</dd>
          </div>
          <div>
            <dt>New or changed</dt>
            <dd>{report.recorded}</dd>
          </div>
          {report.malformed !== undefined && (
            <div>
              <dt>Unreadable (see the log)</dt>
              <dd>{report.malformed}</dd>
            </div>
          )}
        </dl>
      ) : (
        <p className="empty">No sync on this server yet. Another instance may have done one.</p>
      )}
    </section>
  );
}
