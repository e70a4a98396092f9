import { useCallback, useEffect, useState } from 'react';

export type Account = 'a' | 'b';

/** Who is signed in. */
export type Session =
  | { readonly signedIn: true; readonly name: string; readonly wallet: string }
  | { readonly signedIn: false };

/** A print that is for sale, as the shop's server says. */
export interface Listing {
  readonly id: string;
  /** The number that the print is drawn from. */
  readonly number: string;
  readonly title: string;
  /** `MARKET`: one of it, which somebody sells. `MINT`: made for the shopper. */
  readonly type: 'MARKET' | 'MINT';
  readonly network: string;
  /** What the prices are in, as the service names it. */
  readonly cryptoCurrency: string;
  /** The same for the eye. */
  readonly currency: string;
  /** Of one, of two, and so on: as many as may be bought at once. Decimal strings. */
  readonly prices: readonly [string, ...string[]];
}

export interface Shop {
  /** `undefined` until the server has answered. */
  readonly widgetUrl: string | undefined;
  /** `undefined` until the server has answered. */
  readonly session: Session | undefined;
  /** `undefined` until the server has answered. */
  readonly listings: readonly Listing[] | undefined;
  /** The shop's own server could not be reached. */
  readonly unreachable: boolean;
  readonly signIn: (account: Account) => void;
  readonly signOut: () => void;
}

/** What the page knows from its own server: where the checkout is, what is for sale, and who is signed in. */
export function useShop(): Shop {
  const [widgetUrl, setWidgetUrl] = useState<string>();
  const [listings, setListings] = useState<readonly Listing[]>();
  const [session, setSession] = useState<Session>();
  const [unreachable, setUnreachable] = useState(false);

  const changeSession = useCallback((request?: RequestInit) => {
    ask<Session>('/api/session', request).then(
      (answer) => {
        setSession(answer);
        setUnreachable(false);
      },
      () => setUnreachable(true),
    );
  }, []);

  useEffect(() => {
    changeSession();
    ask<{ widgetUrl: string }>('/config.json').then(
      (config) => setWidgetUrl(config.widgetUrl),
      () => setUnreachable(true),
    );
    ask<{ listings: readonly Listing[] }>('/listings.json').then(
      (answer) => setListings(answer.listings),
      () => setUnreachable(true),
    );
  }, [changeSession]);

  return {
    widgetUrl,
    listings,
    session,
    unreachable,
    signIn: (account) =>
      changeSession({
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ account }),
      }),
    signOut: () => changeSession({ method: 'DELETE' }),
  };
}

async function ask<T>(url: string, request?: RequestInit): Promise<T> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
