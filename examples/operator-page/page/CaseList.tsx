import { Short } from './Copyable.js';
import {
  type Evidence,
  type OperatorOrder,
  type OperatorOverview,
  toHash,
} from './operatorData.js';
import { Time } from './Time.js';
import { formatNextAttempt, formatTries, getEvidenceLabels, REASONS } from './texts.js';

export function CaseList({ overview: { cases, moreCases } }: { overview: OperatorOverview }) {
  return (
    <section className="operator-section" aria-labelledby="cases">
      <h2 id="cases">
        Needs attention
        {cases.length > 0 && <span className="count">{cases.length + moreCases}</span>}
      </h2>
      {cases.length === 0 ? (
        <p className="empty">Nothing needs attention.</p>
      ) : (
        <ul className="cases" aria-label="Cases">
          {cases.map((order) => (
            <Case key={order.orderId} order={order} />
          ))}
        </ul>
      )}
      {moreCases > 0 && (
        <p className="operator-note">And {moreCases} more, once these are handled.</p>
      )}
    </section>
  );
}

function Case({ order }: { order: OperatorOrder }) {
  const { case: found, delivery, evidence, paid, shopper, title } = order;
  const { reason = 'delivery', openedAt = order.changedAt } = found ?? {};
  return (
    <li className="case">
      <p className="case-reason">
        <a className="row-link" href={toHash(order)}>
          {REASONS[reason]}
        </a>
      </p>
      {evidence && <EvidenceLine evidence={evidence} />}
      {delivery && delivery.tries > 0 && (
        <p className="case-evidence">
          {formatTries(delivery.tries)}; {formatNextAttempt(delivery.nextAttemptAt)}
        </p>
      )}
      <p className="case-facts">
        <span>
          {title}, {paid}
        </span>
        <Time at={openedAt} />
        {shopper && <bdi>{shopper}</bdi>}
      </p>
    </li>
  );
}

function EvidenceLine({ evidence }: { evidence: Evidence }) {
  const [expectedLabel, actualLabel] = getEvidenceLabels(evidence);
  return (
    <p className="case-evidence">
      {expectedLabel} <Short value={evidence.expected ?? 'nothing'} /> · {actualLabel}{' '}
      <Short value={evidence.actual ?? 'nothing'} />
    </p>
  );
}
