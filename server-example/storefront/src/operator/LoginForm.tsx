import { type FormEvent, useRef, useState } from 'react';
import { requestShop, ShopRequestError, toRequestInit } from '../shop/requestShop.js';

/** Renders the form for the operator's password. */
export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
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
