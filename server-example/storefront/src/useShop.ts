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
  // One for each question: that one is answered says nothing of another.
  const [lost, setLost] = useState<Readonly<Record<string, boolean>>>({});

  const learn = useCallback(<T>(url: string, tell: (answer: T) => void, request?: RequestInit) => {
    ask<T>(url, request).then(
      (answer) => {
        tell(answer);
        setLost((others) => ({ ...others, [url]: false }));
      },
      () => setLost((others) => ({ ...others, [url]: true })),
    );
  }, []);
  const changeSession = (request: RequestInit) => learn('/api/session', setSession, request);

  useEffect(() => {
    learn('/api/session', setSession);
    learn<{ widgetUrl: string }>('/config.json', (config) => setWidgetUrl(config.widgetUrl));
    learn<{ listings: readonly Listing[] }>('/listings.json', (answer) =>
      setListings(answer.listings),
    );
  }, [learn]);

  return {
    widgetUrl,
    listings,
    session,
    unreachable: Object.values(lost).includes(true),
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
