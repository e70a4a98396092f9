import { useCallback, useEffect, useState } from 'react';
import { requestShop, ShopRequestError, toRequestInit } from '../shop/requestShop.js';
import { LoginForm } from './LoginForm.js';
import { OperatorDashboard } from './OperatorDashboard.js';

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
