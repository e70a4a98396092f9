import type { Shop } from '../shop/useShop.js';

interface SignInProps {
  readonly shop: Shop;
  readonly to: 'buy' | 'mint';
  readonly title: string;
  readonly onSignIn: () => void;
}

/** Replaces the checkout's button until a shopper is signed in. Empty while the session is loading. */
export function SignIn({ shop, to, title, onSignIn }: SignInProps) {
  if (shop.session?.signedIn !== false)
    return <div className="button-placeholder" aria-hidden="true" />;
  return (
    <button
      type="button"
      className="ramp-button print-sign-in"
      aria-label={`Sign in to ${to}: ${title}`}
      onClick={() => {
        onSignIn();
        shop.signIn('a');
      }}
    >
      Sign in to {to}
    </button>
  );
}
