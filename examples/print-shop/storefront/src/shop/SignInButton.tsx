import type { Shop } from './useShop.js';

interface SignInButtonProps {
  readonly shop: Shop;
  readonly className?: string;
  /** Called before the sign-in, which removes the button and with it the focus. */
  readonly onSignIn: () => void;
}

export const SignInButton = ({ shop, className = '', onSignIn }: SignInButtonProps) => (
  <button
    type="button"
    className={`ramp-button no-icon ${className}`}
    onClick={() => {
      onSignIn();
      shop.signIn('a');
    }}
  >
    Sign in as Demo shopper A
  </button>
);
