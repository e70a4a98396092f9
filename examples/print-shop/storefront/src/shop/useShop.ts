import { useCallback, useEffect, useRef, useState } from 'react';
import { requestShop, toRequestInit, usePolling } from './requestShop.js';

export type Account = 'a' | 'b';

/** The addresses of a shopper by family of chains. The first one also tells shoppers apart. */
export interface ShopperWallets {
  readonly evm: string;
  readonly bitcoin: string;
}

export type ShopSession =
  | { readonly signedIn: true; readonly name: string; readonly wallets: ShopperWallets }
  | { readonly signedIn: false };

/** A print, as `/listings.json` returns it. */
export interface PublicListing {
  readonly id: string;
  /** The number of the print, which names its picture. */
  readonly number: string;
  readonly title: string;
  /** `MARKET` is a print that exists once. `MINT` is a print that is created for the shopper. */
  readonly type: 'MARKET' | 'MINT';
  readonly network: string;
  /** The currency of the prices as the service's code, such as `USDC_Polygon`. */
  readonly cryptoCurrency: string;
  /** The currency to display, such as `USDC`. */
  readonly currency: string;
  /** The price of one print, of two and so on, up to the maximum quantity. Decimal strings. */
  readonly prices: readonly [string, ...string[]];
  /** The state of the print, as the signed-in shopper sees it. A `MINT` print is always `for-sale`. */
  readonly state: 'for-sale' | 'held' | 'sold' | 'yours';
  /** If `state` is `held`: when the other shopper's reservation ends, Unix seconds. */
  readonly heldUntil?: number;
}

export interface Shop {
  /** Undefined until it is loaded. */
  readonly widgetUrl: string | undefined;
  /** Undefined until it is loaded. */
  readonly session: ShopSession | undefined;
  /** Undefined until it is loaded. */
  readonly listings: readonly PublicListing[] | undefined;
  /** True if the last request to any of the shop's URLs failed or got an error status. */
  readonly isUnreachable: boolean;
  readonly signIn: (account: Account) => void;
  readonly signOut: () => void;
  /** Reloads the listings. */
  readonly refresh: () => void;
}

/** The interval at which the listings are reloaded, because prints may be sold while the page is open. */
const REFRESH_MS = 30_000;

/** If a request fails before everything has been loaded once, the page requests everything again at this interval. */
const RETRY_MS = 5000;

/** Loads the widget URL, the listings and the session from the shop's server. */
export function useShop({ withListings = true } = {}): Shop {
  const [widgetUrl, setWidgetUrl] = useState<string>();
  const [listings, setListings] = useState<readonly PublicListing[]>();
  const [session, setSession] = useState<ShopSession>();
  // Failures are stored by URL, because a response from one URL does not mean that another URL works again.
  const [failures, setFailures] = useState<Readonly<Record<string, boolean>>>({});

  const load = useCallback(<T>(url: string, onData: (data: T) => void, request?: RequestInit) => {
    return requestShop<T>(url, request).then(
      (data) => {
        onData(data);
        setFailures((others) => ({ ...others, [url]: false }));
      },
      () => setFailures((others) => ({ ...others, [url]: true })),
    );
  }, []);
  const refresh = useCallback(() => {
    if (withListings)
      void load<{ listings: readonly PublicListing[] }>('/listings.json', (data) =>
        setListings(data.listings),
      );
  }, [load, withListings]);
  // Run changes one after another: each change ends the current session, so a concurrent change would send an invalid
  // cookie. Then reload the listings, because their states differ by shopper.
  const lastChange = useRef(Promise.resolve());
  const changeSession = (request: RequestInit) => {
    lastChange.current = lastChange.current
      .then(() => load('/api/session', setSession, request))
      .then(refresh);
  };

  const loadAll = useCallback(() => {
    void load('/api/session', setSession);
    void load<{ widgetUrl: string }>('/config.json', (config) => setWidgetUrl(config.widgetUrl));
    refresh();
  }, [load, refresh]);
  useEffect(loadAll, [loadAll]);
  usePolling(refresh, REFRESH_MS);
  const isLoaded = session && widgetUrl && (listings || !withListings);
  const isUnreachable = Object.values(failures).includes(true);
  const retry = useCallback(() => {
    if (isUnreachable && !isLoaded) loadAll();
  }, [isUnreachable, isLoaded, loadAll]);
  usePolling(retry, RETRY_MS);

  return {
    widgetUrl,
    listings,
    session,
    isUnreachable,
    signIn: (account) => changeSession(toRequestInit('POST', { account })),
    signOut: () => changeSession(toRequestInit('DELETE')),
    refresh,
  };
}
