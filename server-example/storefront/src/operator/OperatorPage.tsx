import { useCallback, useEffect, useState } from 'react';
import { ask, Refused, send } from '../ask.js';
import { Desk } from './Desk.js';
import { Login } from './Login.js';

const SESSION = '/api/operator/session';

/** Behind a password: what waits for somebody, every order, and how they are found. */
export function OperatorPage() {
  const [isSignedIn, setIsSignedIn] = useState<boolean>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    ask<{ signedIn: boolean }>(SESSION).then(
      ({ signedIn }) => setIsSignedIn(signedIn),
      (error) => setProblem(inWords(error)),
    );
  }, []);
  const signedOut = useCallback(() => setIsSignedIn(false), []);
  const signOut = () => {
    ask(SESSION, send('DELETE')).then(signedOut, (error) => setProblem(inWords(error)));
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
          <p className="unreachable" role="alert">
            {problem}
          </p>
        )}
        {isSignedIn === false && <Login onSignedIn={() => setIsSignedIn(true)} />}
        {isSignedIn && <Desk onSignedOut={signedOut} />}
      </main>
    </>
  );
}

const inWords = (error: unknown): string =>
  (error instanceof Refused && error.message) ||
  "The shop's server does not answer. Reload the page in a moment.";
