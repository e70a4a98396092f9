import { When } from '../When.js';
import type { WebhookCount } from './operator-types.js';

const OUTCOMES: Readonly<Record<WebhookCount['outcome'], string>> = {
  accepted: 'Accepted',
  repeated: 'Repeated, ignored',
  refused: 'Refused',
};

/** What became of webhooks, minute by minute. */
export function Webhooks({ webhooks }: { webhooks: readonly WebhookCount[] }) {
  return (
    <section className="desk-part" aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p className="desk-note">A refused one changes nothing. The reason is the verifier’s.</p>
      {webhooks.length === 0 ? (
        <p className="nothing">None has come yet.</p>
      ) : (
        <table className="desk-table">
          <caption className="unseen">Webhooks by the minute, the newest first</caption>
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
                  <When at={minute} />
                </th>
                <td>
                  <span className="standing" data-standing={outcome}>
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
