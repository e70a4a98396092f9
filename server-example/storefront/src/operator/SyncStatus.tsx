import { DateTime } from '../shop/DateTime.js';
import type { SyncReport } from './OperatorOverview.js';

/** How the order list was read last, by the server that answers here. */
export function SyncStatus({ sweep }: { sweep: SyncReport | undefined }) {
  return (
    <section className="operator-section" aria-labelledby="sync">
      <h2 id="sync">Last sweep</h2>
      <p className="operator-note">The order list, as this server has read it last.</p>
      {sweep ? (
        <dl className="facts-list">
          <div>
            <dt>State</dt>
            <dd>
              {sweep.failed ? 'Failed, and is tried again' : sweep.endedAt ? 'Done' : 'Under way'}
            </dd>
          </div>
          <div>
            <dt>Begun</dt>
            <dd>
              <DateTime at={sweep.startedAt} />
            </dd>
          </div>
          <div>
            <dt>Orders finished since</dt>
            <dd>
              <DateTime at={sweep.from} />
            </dd>
          </div>
          <div>
            <dt>Listed</dt>
            <dd>{sweep.listed}</dd>
          </div>
          <div>
            <dt>New or moved</dt>
            <dd>{sweep.recorded}</dd>
          </div>
          {sweep.malformed !== undefined && (
            <div>
              <dt>Not to be read (see the log)</dt>
              <dd>{sweep.malformed}</dd>
            </div>
          )}
        </dl>
      ) : (
        <p className="empty">This server has not swept yet; another one may have.</p>
      )}
    </section>
  );
}
