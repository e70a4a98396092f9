import { RampProvider } from '@partner-ramp/react';
import type { ReactNode } from 'react';
import { ShopFooter, ShopHeader } from '../shop/ShopHeader.js';
import { SignInButton } from '../shop/SignInButton.js';
import { useDeferredFocus } from '../shop/useDeferredFocus.js';
import { type ShopSession, useShop } from '../shop/useShop.js';

interface ShopperPageProps {
  readonly title: string;
  /** The text for a visitor who is not signed in. */
  readonly signIn: string;
  /** Renders the page of a signed-in shopper. */
  readonly render: (shopper: ShopSession & { readonly signedIn: true }) => ReactNode;
  readonly className?: string;
  /** Shown at the end of the page, to everyone. */
  readonly children?: ReactNode;
}

/** Renders a page about a shopper's own orders, with a button to sign in. */
export function ShopperPage({ title, signIn, render, className = '', children }: ShopperPageProps) {
  const shop = useShop({ withListings: false });
  const { session } = shop;
  const [focusRef, requestFocus] = useDeferredFocus();
  return (
    <RampProvider widgetUrl={shop.widgetUrl} api="/api/ramp">
      <ShopHeader shop={shop} page="orders" />
      <main id="main" className={`page orders ${className}`}>
        {/* Signing in removes the focused button and attaches this ref, so that the title gets the focus. */}
        <h1 ref={session?.signedIn ? focusRef : undefined} tabIndex={-1}>
          {title}
        </h1>
        {session?.signedIn && render(session)}
        {session?.signedIn === false && (
          <>
            <p className="lead">{signIn}</p>
            <SignInButton shop={shop} onSignIn={requestFocus} />
          </>
        )}
        {!session && shop.isUnreachable && (
          <p className="error-message" role="alert">
            The shop's server is not responding. This page tries again by itself.
          </p>
        )}
        {children}
      </main>
      <ShopFooter />
    </RampProvider>
  );
}
