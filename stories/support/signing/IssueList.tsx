import type { RampError } from '../../../src/protocol/index.js';

/** Lists the issues of the parameters by name. */
export function IssueList({ error: { code, message, issues } }: { readonly error: RampError }) {
  return (
    <>
      <h2>Refused</h2>
      <p>
        <code>{code}</code>. The backend refuses invalid signed parameters, and the widget the
        others.
      </p>
      <div role="status">
        <dl className="signing-issues">
          {(issues ?? [{ param: '', message }]).map((issue) => (
            <div key={`${issue.param} ${issue.message}`}>
              <dt>{issue.param || 'the checkout'}</dt>
              <dd>{issue.message}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}
