import { DateTime } from '../shop/DateTime.js';
import type { WebhookCount } from './OperatorOverview.js';

const OUTCOMES: Readonly<Record<WebhookCount['outcome'], string>> = {
  accepted: 'Accepted',
  replayed: 'Repeated, ignored',
  refused: 'Refused',
};

/** What became of webhooks, minute by minute. */
export function WebhookTable({ webhooks }: { webhooks: readonly WebhookCount[] }) {
  return (
    <section className="operator-section" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p className="operator-note">A refused one changes nothing. The reason is the verifier’s.</p>
      {webhooks.length === 0 ? (
        <p className="empty">None has come yet.</p>
      ) : (
        <table className="operator-table">
          <caption className="visually-hidden">Webhooks by the minute, the newest first</caption>
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
