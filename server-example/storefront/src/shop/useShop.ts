import { useCallback, useEffect, useRef, useState } from 'react';
import { requestShop, toRequestInit } from './requestShop.js';
import { usePolling } from './usePolling.js';

export type Account = 'a' | 'b';

/** Who is signed in. */
export type ShopSession =
  | { readonly signedIn: true; readonly name: string; readonly wallet: string }
  | { readonly signedIn: false };

/** A print that is for sale, as the shop's server says. */
export interface PublicListing {
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
  /** Of a print of which there is one, for who is signed in. */
  readonly state: 'for-sale' | 'held' | 'sold' | 'yours';
  /** While somebody else is buying it: until then, Unix seconds. */
  readonly heldUntil?: number;
}

export interface Shop {
  /** `undefined` until the server has answered. */
  readonly widgetUrl: string | undefined;
  /** `undefined` until the server has answered. */
  readonly session: ShopSession | undefined;
  /** `undefined` until the server has answered. */
  readonly listings: readonly PublicListing[] | undefined;
  /** The shop's own server could not be reached. */
  readonly isUnreachable: boolean;
  readonly signIn: (account: Account) => void;
  readonly signOut: () => void;
  /** Asks what is still for sale. */
  readonly refresh: () => void;
}

/** What is for sale changes while the page stands open. */
const REFRESH_MS = 30_000;

/** What the page knows from its own server: where the checkout is, what is for sale, and who is signed in. */
export function useShop({ sells: withListings = true } = {}): Shop {
  const [widgetUrl, setWidgetUrl] = useState<string>();
  const [listings, setListings] = useState<readonly PublicListing[]>();
  const [session, setSession] = useState<ShopSession>();
  // One for each question: that one is answered says nothing of another.
  const [lost, setLost] = useState<Readonly<Record<string, boolean>>>({});

  const load = useCallback(<T>(url: string, tell: (answer: T) => void, request?: RequestInit) => {
    return requestShop<T>(url, request).then(
      (answer) => {
        tell(answer);
        setLost((others) => ({ ...others, [url]: false }));
      },
      () => setLost((others) => ({ ...others, [url]: true })),
    );
  }, []);
  const refresh = useCallback(() => {
    if (withListings)
      void load<{ listings: readonly PublicListing[] }>('/listings.json', (answer) =>
        setListings(answer.listings),
      );
  }, [load, withListings]);
  // What is held or bought is so for one shopper.
  // One after another: each change ends the session whose cookie the next one would still send.
  const lastChange = useRef(Promise.resolve());
  const changeSession = (request: RequestInit) => {
    lastChange.current = lastChange.current
      .then(() => load('/api/session', setSession, request))
      .then(refresh);
  };

  useEffect(() => {
    void load('/api/session', setSession);
    void load<{ widgetUrl: string }>('/config.json', (config) => setWidgetUrl(config.widgetUrl));
    refresh();
  }, [load, refresh]);
  usePolling(refresh, REFRESH_MS);

  return {
    widgetUrl,
    listings,
    session,
    isUnreachable: Object.values(lost).includes(true),
    signIn: (account) => changeSession(toRequestInit('POST', { account })),
    signOut: () => changeSession(toRequestInit('DELETE')),
    refresh,
  };
}
