import { type Shopper, useSignIn } from './useShop.js';

const choices = [
  { id: null, name: 'Signed out' },
  { id: 'ann', name: 'Ann' },
  { id: 'bob', name: 'Bob' },
];

/** Signs one of the two demo shoppers in, or out. Your sign-in replaces it. */
export function SignIn({ shopper }: { readonly shopper: Shopper | undefined }) {
  const signIn = useSignIn();
  return (
    <fieldset className="sign-in">
      <legend>Demo sign-in</legend>
      {choices.map(({ id, name }) => (
        <button
          key={name}
          type="button"
          aria-pressed={id === (shopper?.id ?? null)}
          onClick={() => signIn(id)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
