import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { requestShop, ShopRequestError, toRequestInit } from '../shop/requestShop.js';
import { CaseList } from './CaseList.js';
import { OrderTable } from './OrderTable.js';
import { SyncStatus, WebhookTable } from './ServiceStatus.js';
import { useOperator } from './useOperator.js';

const SESSION = '/api/operator/session';

/** Renders the operator page: a sign-in form, then the dashboard. */
export function OperatorPage() {
  const [isSignedIn, setIsSignedIn] = useState<boolean>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    requestShop<{ signedIn: boolean }>(SESSION).then(
      ({ signedIn }) => setIsSignedIn(signedIn),
      (error) => setProblem(getErrorMessage(error)),
    );
  }, []);
  const onSignedOut = useCallback(() => setIsSignedIn(false), []);
  const signOut = () => {
    requestShop(SESSION, toRequestInit('DELETE')).then(onSignedOut, (error) =>
      setProblem(getErrorMessage(error)),
    );
  };
  return (
    <>
      <header className="header page">
        <a className="brand" href="/">
          <img src="/mark.svg" alt="" width="32" height="32" />
          <span>
            Fieldnote <span className="brand-rest">Prints</span>
          </span>
        </a>
        {isSignedIn && (
          <button type="button" className="quiet-button" onClick={signOut}>
            Sign out
          </button>
        )}
      </header>
      <main className="page operator">
        <h1>Operator</h1>
        {problem && (
          <p className="error-message" role="alert">
            {problem}
          </p>
        )}
        {isSignedIn === false && <LoginForm onSignedIn={() => setIsSignedIn(true)} />}
        {isSignedIn && <OperatorDashboard onSignedOut={onSignedOut} />}
      </main>
    </>
  );
}

const getErrorMessage = (error: unknown): string =>
  (error instanceof ShopRequestError && error.message) ||
  "The shop's server is not responding. Reload the page in a moment.";

function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const signIn = (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setProblem('');
    requestShop(
      '/api/operator/session',
      toRequestInit('POST', { password: field.current?.value }),
    ).then(onSignedIn, (error) => {
      setIsBusy(false);
      setProblem(
        (error instanceof ShopRequestError && error.message) || 'The server is not responding.',
      );
      field.current?.select();
    });
  };
  return (
    <form className="login" onSubmit={signIn}>
      <label htmlFor="password">Password</label>
      <input
        ref={field}
        id="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
        aria-invalid={problem !== ''}
        aria-describedby="password-problem"
      />
      <p id="password-problem" className="error-message" role="alert">
        {problem}
      </p>
      <button type="submit" className="strong-button" aria-busy={isBusy}>
        Sign in
      </button>
    </form>
  );
}

/**
 * Renders the page of the signed-in operator. The page refreshes automatically. Screen readers announce a refresh
 * only if something has changed.
 */
function OperatorDashboard({ onSignedOut }: { onSignedOut: () => void }) {
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
