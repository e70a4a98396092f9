import { ActionButton } from './ActionButton.js';
import { type OperatorOverview, type Refreshes, requestSync } from './operatorData.js';
import { Time } from './Time.js';

interface SyncLineProps {
  readonly overview: OperatorOverview | undefined;
  readonly refreshes: Pick<Refreshes, 'refresh' | 'trouble'>;
}

/** Reads the order list of the service now, for a payment that the shop may not know yet. */
export function SyncButton({ onSynced }: { onSynced: () => void }) {
  const sync = async () => {
    const { isSynced } = await requestSync();
    onSynced();
    return isSynced ? 'Synced just now.' : 'A sync is running. The page updates by itself.';
  };
  return <ActionButton label="Sync now" busyText="Syncing…" action={sync} />;
}

/** Shows when the orders were last synced, or why requests of the page fail. The page refreshes by itself. */
export function SyncLine({ overview, refreshes: { refresh, trouble } }: SyncLineProps) {
  return (
    <div className="operator-head">
      {trouble ? (
        <p className="error-message" role="alert">
          {trouble.message} since <Time at={trouble.since} />. Retrying…
        </p>
      ) : (
        <p className="sync-line">{overview ? <SyncFacts overview={overview} /> : 'Loading…'}</p>
      )}
      <SyncButton onSynced={refresh} />
    </div>
  );
}

function SyncFacts({ overview: { sync, refusedWebhooks } }: { overview: OperatorOverview }) {
  return (
    <>
      {sync.syncedAt === undefined ? (
        'Not synced yet'
      ) : (
        <>
          Synced <Time at={sync.syncedAt} />
        </>
      )}
      {sync.failures > 0 && <strong> · The last sync failed, and is retried</strong>}
      {refusedWebhooks > 0 && (
        <>
          {' · '}
          {refusedWebhooks} {refusedWebhooks === 1 ? 'webhook' : 'webhooks'} refused
          <span className="visually-hidden"> within a day</span>
        </>
      )}
    </>
  );
}

type Sync = OperatorOverview['sync'];

const REASONS: Readonly<Record<Sync['why'], string>> = {
  first: 'There was none yet',
  interrupted: 'The last one is running, or was interrupted',
  failed: 'The last one failed',
  unfinished: 'The last one had no time for everything',
  delivery: 'An order is to be delivered',
  announced: 'The service has announced an order',
  checkout: 'A checkout is open',
  unsettled: 'An order awaits its settlement',
  daily: 'Once a day',
};

function describeState({ failures, endedAt }: Sync): string {
  if (failures > 0) return failures === 1 ? 'Failed' : `Failed ${failures} times in a row`;
  return endedAt === undefined ? 'Running, or interrupted' : 'Done';
}

/** Shows the last sync of any instance of the shop, and the next one. */
export function SyncStatus({ sync }: { sync: Sync }) {
  return (
    <section className="operator-section" aria-labelledby="sync">
      <h2 id="sync">Last sync</h2>
      <p className="operator-note">
        A sync reads the order list of the service. This is the last one of all servers.
      </p>
      {sync.begunAt === undefined ? (
        <p className="empty">No sync yet.</p>
      ) : (
        <dl className="facts-list">
          <div>
            <dt>State</dt>
            <dd>{describeState(sync)}</dd>
          </div>
          <div>
            <dt>Started</dt>
            <dd>
              <Time at={sync.begunAt} />
            </dd>
          </div>
          <div>
            <dt>Next one</dt>
            <dd>
              <Time at={sync.nextAt} />
            </dd>
          </div>
          <div>
            <dt>Why then</dt>
            <dd>{REASONS[sync.why]}</dd>
          </div>
        </dl>
      )}
    </section>
  );
}

const OUTCOMES: Readonly<Record<OperatorOverview['webhooks'][number]['outcome'], string>> = {
  accepted: 'Accepted',
  replayed: 'Replayed, ignored',
  refused: 'Refused',
};

export function WebhookTable({ webhooks }: { webhooks: OperatorOverview['webhooks'] }) {
  return (
    <section className="operator-section" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p className="operator-note">
        The service’s messages to the shop, by minute. A refused one changes nothing.
      </p>
      {webhooks.length === 0 ? (
        <p className="empty">No webhooks yet.</p>
      ) : (
        <table className="operator-table">
          <caption className="visually-hidden">Webhooks by minute, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Minute</th>
              <th scope="col">Outcome</th>
              <th scope="col" className="figure">
                Count
              </th>
            </tr>
          </thead>
          <tbody>
            {webhooks.map(({ minute, outcome, reason, count }) => (
              <tr key={`${minute} ${outcome} ${reason}`}>
                <th scope="row">
                  <Time at={minute} />
                </th>
                <td>
                  <span className="badge" data-status={outcome}>
                    {OUTCOMES[outcome]}
                  </span>
                  {reason && <span className="facts">{reason}</span>}
                </td>
                <td className="figure">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
