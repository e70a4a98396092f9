import { DateTime } from '../shop/DateTime.js';
import type { WebhookCount } from './OperatorOverview.js';

const OUTCOMES: Readonly<Record<WebhookCount['outcome'], string>> = {
  accepted: 'Accepted',
  replayed: 'Replayed, ignored',
  refused: 'Refused',
};

/** Lists the outcomes of webhooks by minute. */
export function WebhookTable({ webhooks }: { webhooks: readonly WebhookCount[] }) {
  return (
    <section className="operator-section" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p className="operator-note">A refused webhook changes nothing.</p>
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
                  <DateTime at={minute} />
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
